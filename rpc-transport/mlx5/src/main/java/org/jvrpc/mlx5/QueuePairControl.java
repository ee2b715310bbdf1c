package org.jvrpc.mlx5;

import org.jvrpc.verbs.MemoryRegion;
import org.jvrpc.verbs.ProtectionDomain;
import org.jvrpc.verbs.QueuePairState;
import org.jvrpc.verbs.VerbsException;

/** The control path of a QP: the kernel's for a card, the software RNIC's own. Any thread. */
public interface QueuePairControl {

    /** Returns the state that the device has the QP in. */
    QueuePairState state();

    /** See {@link org.jvrpc.verbs.QueuePair#init()}. */
    void init();

    /** See {@link org.jvrpc.verbs.QueuePair#endpoint()}. */
    byte[] endpoint();

    /** See {@link org.jvrpc.verbs.QueuePair#connect(byte[])}. */
    void connect(byte[] remoteEndpoint);

    /** See {@link org.jvrpc.verbs.QueuePair#ready()}. */
    default void makeReady() {
        throw new VerbsException("modify_qp", "device has no datagrams");
    }

    /** See {@link org.jvrpc.verbs.QueuePair#error()}. */
    void error();

    /** See {@link org.jvrpc.verbs.QueuePair#wakePeer()}. */
    void wakePeer();

    /** See {@link org.jvrpc.verbs.QueuePair#expectSends(int)}. */
    default void expectSends(int count) {
        // nothing that a card could do beforehand
    }

    /** Called by a poll that found a completion with error of this QP. */
    void failed();

    /**
     * Returns true when receives that are posted now are flushed by the driver: {@link #failed()} is called after each
     * post. A card flushes them itself. Called by each post: cheap.
     */
    default boolean mustFlush() {
        return state() == QueuePairState.ERR;
    }

    /** Returns true when the device has atomics, and their answers are in the byte order of this host. */
    default boolean hasAtomics() {
        return true;
    }

    /**
     * Returns the index of a receive of the QP's SRQ that a message took and that no CQE will complete any more; -1
     * when there is none, as always on a card. Asked when the QP is in ERR and its CQ holds nothing.
     */
    default int lostReceive() {
        return -1;
    }

    /**
     * Registers the send ring. See {@link Mlx5QueuePair#registerSendRing}.
     *
     * @throws VerbsException when the device cannot
     */
    default MemoryRegion registerSendRing(ProtectionDomain domain, int access) {
        throw new VerbsException("reg_mr", "device does not register send rings");
    }

    /** Returns true when a managed send queue may fetch WQEs early. See {@link Mlx5QueuePair#prefetches}. */
    default boolean prefetches() {
        return true;
    }

    /** Destroys the QP. */
    void close();
}
