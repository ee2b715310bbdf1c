package org.jvrpc.verbs;

import java.util.Objects;

/** What a QP is made with; a builder. Source: ibv_create_qp(3), ibv_modify_qp(3). One thread. */
public final class QueuePairAttributes {

    /** The {@code rnrRetry} that never gives up. */
    public static final int RNR_RETRY_FOREVER = 7;

    private final CompletionQueue sendCq;
    private final CompletionQueue receiveCq;
    private int maxSendWr = 64;
    private int maxReceiveWr = 64;
    private int maxSendSge = 2;
    private int maxReceiveSge = 1;
    private int maxInline;
    private int rnrRetry = 3;
    private long minRnrTimerNs = 10_000;
    private long patienceNs;
    private boolean lazyWake;
    private boolean crossChannel;
    private boolean managedSend;
    private boolean managedReceive;
    private boolean checked = true;
    private SharedReceiveQueue sharedReceive;
    private boolean datagram;
    private int qkey;
    private ServiceClass serviceClass = ServiceClass.DEFAULT;

    /** Begins with 64 WRs each way, 2 SGEs a send, 1 a receive, no inline data, 3 RNR retries of 10 us. */
    public QueuePairAttributes(CompletionQueue sendCq, CompletionQueue receiveCq) {
        this.sendCq = Objects.requireNonNull(sendCq, "sendCq");
        this.receiveCq = Objects.requireNonNull(receiveCq, "receiveCq");
    }

    static int inRange(String name, int value, int low, int high) {
        if (value < low || value > high) {
            throw new IllegalArgumentException(name + " must be " + low + " to " + high + ", " + name + "=" + value);
        }
        return value;
    }

    /**
     * Sets how many sends and receives may be outstanding, 1 to 16384 each; rounded up to powers of two. A device may
     * refuse many sends with many SGEs or inline bytes.
     */
    public QueuePairAttributes depth(int maxSendWr, int maxReceiveWr) {
        this.maxSendWr = inRange("maxSendWr", maxSendWr, 1, 16384);
        this.maxReceiveWr = inRange("maxReceiveWr", maxReceiveWr, 1, 16384);
        return this;
    }

    /** Sets how many SGEs a send and a receive may have, 1 to 16 each. */
    public QueuePairAttributes sges(int maxSendSge, int maxReceiveSge) {
        this.maxSendSge = inRange("maxSendSge", maxSendSge, 1, 16);
        this.maxReceiveSge = inRange("maxReceiveSge", maxReceiveSge, 1, 16);
        return this;
    }

    /** Sets how many bytes a send may carry in its WQE, 0 to 512. */
    public QueuePairAttributes inline(int maxInline) {
        this.maxInline = inRange("maxInline", maxInline, 0, 512);
        return this;
    }

    /**
     * Sets what happens when the peer has no receive posted.
     *
     * @param rnrRetry retries before {@link WcStatus#RNR_RETRY_EXC_ERR}, 0 to 6, or {@link #RNR_RETRY_FOREVER}
     * @param minRnrTimerNs the least time between two of them, in nanoseconds
     */
    public QueuePairAttributes rnr(int rnrRetry, long minRnrTimerNs) {
        this.rnrRetry = inRange("rnrRetry", rnrRetry, 0, RNR_RETRY_FOREVER);
        this.minRnrTimerNs = minRnrTimerNs;
        return this;
    }

    /**
     * Sets how long a peer of an RC QP that acknowledges nothing is asked again, at least, before
     * {@link WcStatus#RETRY_EXC_ERR}: for whoever learns by other means that a peer is gone. Only a device whose peers
     * acknowledge by threads, which others may keep from running, has to heed it. Default 0: as the device has it.
     *
     * @param leastNs nanoseconds
     */
    public QueuePairAttributes patience(long leastNs) {
        if (leastNs < 0) {
            throw new IllegalArgumentException("leastNs must not be negative, leastNs=" + leastNs);
        }
        this.patienceNs = leastNs;
        return this;
    }

    /** Returns how long a silent peer is asked again at least, in nanoseconds; 0: as the device has it. */
    public long patienceNs() {
        return patienceNs;
    }

    /**
     * Leaves the certainty that a sleeping peer is woken to {@link QueuePair#wakePeer()}: a post that meets an armed
     * CQ in the very moment of its arming may otherwise miss it. Saves a memory fence with each message. Default off:
     * then every post sees to it.
     */
    public QueuePairAttributes lazyWake(boolean lazy) {
        this.lazyWake = lazy;
        return this;
    }

    /** Returns whether {@link QueuePair#wakePeer()} must follow posts. */
    public boolean lazyWake() {
        return lazyWake;
    }

    /**
     * Makes a QP for chains: its send queue may hold WAIT and ENABLE, reads and writes memory that peers can reach and
     * no other, and is executed by whichever process completes what it waits for. Both CQs must be
     * {@linkplain CompletionQueueAttributes#crossChannel cross-channel} ones. Source: Mellanox' cross-channel
     * communication; IBV_EXP_QP_CREATE_CROSS_CHANNEL. Default off.
     */
    public QueuePairAttributes crossChannel(boolean on) {
        this.crossChannel = on;
        return this;
    }

    /**
     * Has the queues of a cross-channel QP run only as far as an ENABLE lets them, and fetch each WQE when it is
     * executed, so that earlier WQEs may change it; doorbells are ignored. Default off: such an SQ runs when its
     * doorbell rings, and may fetch WQEs ahead.
     */
    public QueuePairAttributes managed(boolean send, boolean receive) {
        this.managedSend = send;
        this.managedReceive = receive;
        return this;
    }

    /**
     * Sets whether the index and the QP number in a WQE of a cross-channel QP are checked; where they are not, these 40
     * bits and the opmod of a NOP are free for operands. Default on. A card checks them unless its firmware is told
     * otherwise, for all its queues: its driver refuses a QP without checks where nobody says that this was done.
     */
    public QueuePairAttributes checked(boolean on) {
        this.checked = on;
        return this;
    }

    /**
     * Has the QP take its receives from an SRQ of the same device, instead of a queue of its own;
     * {@link #maxReceiveWr()} and {@link #maxReceiveSge()} do not count then. A device may refuse it for datagrams.
     * Default null: a queue of its own.
     */
    public QueuePairAttributes sharedReceive(SharedReceiveQueue srq) {
        this.sharedReceive = srq;
        return this;
    }

    /**
     * Makes a QP of the unreliable datagram service. Default off: reliable connected service.
     *
     * @param qkey that messages must carry to be taken
     */
    public QueuePairAttributes datagram(int qkey) {
        this.datagram = true;
        this.qkey = qkey;
        return this;
    }

    /**
     * Sets how the network is asked to treat the packets of an RC QP, acknowledgements included, from when it is
     * connected on; the peer's packets have the class of the peer's QP. Of a UD QP, address handles say it. Default:
     * {@link ServiceClass#DEFAULT}; a QP that accepts a connection manager's request with that has the class that the
     * request asks for.
     */
    public QueuePairAttributes serviceClass(ServiceClass asked) {
        this.serviceClass = Objects.requireNonNull(asked, "asked");
        return this;
    }

    /** Returns how the network is asked to treat packets. */
    public ServiceClass serviceClass() {
        return serviceClass;
    }

    /** Returns the SRQ that receives are taken from, or null when the QP has a queue of its own. */
    public SharedReceiveQueue sharedReceive() {
        return sharedReceive;
    }

    /** Returns whether the QP is of the unreliable datagram service. */
    public boolean isDatagram() {
        return datagram;
    }

    /** Returns what messages must carry to be taken; for datagrams only. */
    public int qkey() {
        return qkey;
    }

    /** Returns whether the QP is for chains. */
    public boolean isCrossChannel() {
        return crossChannel;
    }

    /** Returns whether the SQ runs as far as ENABLE lets it. */
    public boolean isManagedSend() {
        return managedSend;
    }

    /** Returns whether the RQ takes messages as far as ENABLE lets it. */
    public boolean isManagedReceive() {
        return managedReceive;
    }

    /** Returns whether index and QP number of WQEs are checked. */
    public boolean isChecked() {
        return checked;
    }

    /** Returns the CQ of sends. */
    public CompletionQueue sendCq() {
        return sendCq;
    }

    /** Returns the CQ of receives. */
    public CompletionQueue receiveCq() {
        return receiveCq;
    }

    /** Returns how many sends may be outstanding. */
    public int maxSendWr() {
        return maxSendWr;
    }

    /** Returns how many receives may be outstanding. */
    public int maxReceiveWr() {
        return maxReceiveWr;
    }

    /** Returns how many SGEs a send may have. */
    public int maxSendSge() {
        return maxSendSge;
    }

    /** Returns how many SGEs a receive may have. */
    public int maxReceiveSge() {
        return maxReceiveSge;
    }

    /** Returns how many bytes a send may carry inline. */
    public int maxInline() {
        return maxInline;
    }

    /** Returns the number of RNR retries. */
    public int rnrRetry() {
        return rnrRetry;
    }

    /** Returns the least time between two RNR retries, in nanoseconds. */
    public long minRnrTimerNs() {
        return minRnrTimerNs;
    }
}
