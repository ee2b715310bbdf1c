package org.jvrpc.verbs;

import java.util.Map;

/** An RNIC, in hardware or software. Any thread. */
public interface Device extends AutoCloseable {

    /** The most private data that any device lets travel with a connection request or its answer, in bytes. */
    int MAX_PRIVATE_BYTES = 1024;

    /** Returns the most private data that travels with a connection request, in bytes; rdma_cm carries 55. */
    default int maxRequestBytes() {
        return MAX_PRIVATE_BYTES;
    }

    /** Returns the most private data that travels with an answer, yes or no, in bytes; rdma_cm carries 147. */
    default int maxAnswerBytes() {
        return MAX_PRIVATE_BYTES;
    }

    /**
     * Returns the longest datagram in bytes, without {@link QueuePair#DATAGRAM_HEADER_BYTES}: what one packet of the
     * path carries. A longer one goes nowhere: it is refused when it is posted, completes with
     * {@link WcStatus#LOC_LEN_ERR}, or is dropped.
     */
    default int maxDatagramBytes() {
        return 4096;
    }

    /**
     * Returns the longest that a send to a peer that is alive and has receives posted should take, retransmissions
     * included, in nanoseconds: who waits for it need not wait longer.
     */
    default long longestSendNs() {
        return 30_000_000;
    }

    /** Returns true when the device was taken away: nothing of it works any more, close it so that it can go. */
    default boolean isLost() {
        return false;
    }

    /**
     * Returns true when nobody on the way to peers can read what is sent: as it stays in this host's memory, is
     * encrypted, or goes through what was declared trusted.
     */
    default boolean isPrivate() {
        return false;
    }

    /** Returns what is wrong with the device's link now and what helps, for messages, or null. */
    default String trouble() {
        return null;
    }

    /**
     * Returns what the device's port has counted since it was opened, or since the host began: of devices that packets
     * leave, by the names that Linux's drivers have (rdma-statistic(8), rdma_rxe's and mlx5's); empty where there is
     * nothing. Each only grows; a driver may have values of some milliseconds ago.
     */
    default Map<String, Long> counters() {
        return Map.of();
    }

    /** Returns a name for messages. */
    String name();

    /** Makes a protection domain. Source: ibv_alloc_pd(3). */
    ProtectionDomain allocatePd();

    /**
     * Attaches to memory of another process's device, for reads and writes by CPU. Its addresses are those that the
     * memory has at its owner, so that an address stored in it means the same to both. It has no keys: QPs of this
     * device do not know it.
     *
     * @param exported from {@link MemoryRegion#export()}
     * @return the memory, as long as this side does not close it; it is nobody else's once its owner is gone
     * @throws VerbsException when the bytes are no such thing, and when the owner or its memory is gone
     */
    default MemoryRegion attach(byte[] exported) {
        throw new VerbsException("attach", "device attaches to no memory of other processes");
    }

    /** Makes a completion queue. Source: ibv_create_cq(3). @throws VerbsException when there is no memory */
    CompletionQueue createCq(CompletionQueueAttributes attributes);

    /** Makes a channel to wait on. */
    EventChannel createChannel();

    /**
     * Takes a name, where peers connect from then on. Source: rdma_listen(3).
     *
     * @throws VerbsException when a living process has the name, or it cannot be one
     */
    Listener listen(String address, EventChannel channel);

    /**
     * Connects a QP in INIT to a listener. Source: rdma_connect(3).
     *
     * @param privateData at most {@link #maxRequestBytes()}
     * @param timeoutNs the longest wait for the listener's answer, in nanoseconds
     * @throws ConnectionException when it does not come about: the QP is in ERR then
     * @throws VerbsException when the QP is not in INIT: nobody was asked, and the QP is as before
     */
    Connection connect(String address, QueuePair qp, byte[] privateData, EventChannel channel, long timeoutNs);

    /**
     * Connects as {@link #connect(String, QueuePair, byte[], EventChannel, long)} does, and has something done by this
     * thread, while it waits for the listener's answer where the device can.
     *
     * @param meanwhile what it throws ends the attempt, and is thrown, or the cause of what is; it may have run when
     *     the attempt fails for another reason
     */
    default Connection connect(
            String address,
            QueuePair qp,
            byte[] privateData,
            EventChannel channel,
            long timeoutNs,
            Runnable meanwhile) {
        Connection connection = connect(address, qp, privateData, channel, timeoutNs);
        try {
            meanwhile.run();
            return connection;
        } catch (RuntimeException | Error e) {
            connection.close();
            throw e;
        }
    }

    /** Ends the device and everything made by it. Idempotent. */
    @Override
    void close();
}
