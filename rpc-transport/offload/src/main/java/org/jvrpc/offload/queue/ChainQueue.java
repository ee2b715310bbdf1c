package org.jvrpc.offload.queue;

import java.util.Objects;
import org.jvrpc.mlx5.Mlx5QueuePair;
import org.jvrpc.verbs.MemoryRegion;

/**
 * The queues of a QP that programs are written to. Programs over one queue are built in the order in which they are
 * loaded, since each begins where the one before ended. One thread.
 */
public final class ChainQueue {

    private final String name;
    private final int number;
    private final int blocks;
    private final boolean managed;
    private final Mlx5QueuePair qp;
    private final MemoryRegion code;
    private final ChainCq sendCq;
    private final ChainCq receiveCq;
    private boolean prefetches;
    private boolean managedReceive;
    private int receives;
    private int head;
    private int receiveHead;
    private boolean changes;

    private ChainQueue(
            String name,
            int number,
            int blocks,
            boolean managed,
            Mlx5QueuePair qp,
            MemoryRegion code,
            ChainCq sendCq,
            ChainCq receiveCq) {
        this.name = Objects.requireNonNull(name, "name");
        this.number = number;
        this.blocks = blocks;
        this.managed = managed;
        this.qp = qp;
        this.code = code;
        this.sendCq = sendCq;
        this.receiveCq = receiveCq;
    }

    /**
     * A queue that runs as far as ENABLE lets it, and whose WQEs may be changed.
     *
     * @param code the send ring as memory of the domain whose QPs change it, see {@link Mlx5QueuePair#registerSendRing}
     * @param receiveCq null when the program has no receives here
     */
    public static ChainQueue managed(
            String name, Mlx5QueuePair qp, MemoryRegion code, ChainCq sendCq, ChainCq receiveCq) {
        return new ChainQueue(name, qp.number(), qp.sendRingBlocks(), true, qp, code, sendCq, receiveCq)
                .prefetching(qp.prefetches());
    }

    /** A queue that runs when its doorbell rings, and fetches ahead: for what nobody changes. */
    public static ChainQueue unmanaged(String name, Mlx5QueuePair qp, ChainCq sendCq, ChainCq receiveCq) {
        return new ChainQueue(name, qp.number(), qp.sendRingBlocks(), false, qp, null, sendCq, receiveCq);
    }

    /**
     * A queue of no device, to write, list and draw programs for; they cannot be loaded.
     *
     * @param blocks of the send ring, a power of two
     * @param code null for an unmanaged queue
     */
    public static ChainQueue sketch(
            String name, int number, int blocks, MemoryRegion code, ChainCq sendCq, ChainCq receiveCq) {
        return new ChainQueue(name, number, blocks, code != null, null, code, sendCq, receiveCq);
    }

    /**
     * Says what the receive queue is like.
     *
     * @param entries of its ring: the depth that the QP was made with, rounded up to a power of two
     * @param isManaged true when it takes messages as far as RECV_ENABLE lets it
     */
    public ChainQueue receives(int entries, boolean isManaged) {
        this.receives = entries;
        this.managedReceive = isManaged;
        return this;
    }

    /**
     * Says when the device fetches WQEs of this managed queue, if not as the QP says: for sketches and tests.
     *
     * @param whenEnabled see {@link #prefetches()}
     */
    public ChainQueue prefetching(boolean whenEnabled) {
        this.prefetches = whenEnabled;
        return this;
    }

    /** Returns the QP number. */
    public int number() {
        return number;
    }

    /** Returns how many blocks the send ring has. */
    public int blocks() {
        return blocks;
    }

    /** Returns whether the send queue runs as far as ENABLE lets it. */
    public boolean isManaged() {
        return managed;
    }

    /**
     * Returns whether the device may fetch a WQE as soon as an ENABLE allows it, as cards do. Programs are to be in
     * doorbell order then: what changes a WQE is complete before the ENABLE that allows it.
     */
    public boolean prefetches() {
        return prefetches;
    }

    /** Returns whether the receive queue takes messages as far as RECV_ENABLE lets it. */
    public boolean isManagedReceive() {
        return managedReceive;
    }

    /** Returns how many receives the receive ring holds; 0 when nobody said. */
    public int receives() {
        return receives;
    }

    /** Returns the send ring as memory, or null. */
    public MemoryRegion code() {
        return code;
    }

    /** Returns the CQ of sends. */
    public ChainCq sendCq() {
        return sendCq;
    }

    /** Returns the CQ of receives, or null. */
    public ChainCq receiveCq() {
        return receiveCq;
    }

    /** Returns the first block of the next program; not wrapped. */
    public int head() {
        return head;
    }

    /** Returns the number of the next receive, counted from the first ever. */
    public int receiveHead() {
        return receiveHead;
    }

    /** Returns whether a program changes WRs that it has here. */
    public boolean changes() {
        return changes;
    }

    /** For the builder: remembers that a program changes WRs that it has here. */
    public void markChanging() {
        changes = true;
    }

    /** For the builder: takes blocks and receives for a program. */
    public void promise(int newBlocks, int newReceives) {
        head += newBlocks;
        receiveHead += newReceives;
    }

    /** Returns the QP. @throws IllegalStateException for a sketch */
    public Mlx5QueuePair qp() {
        if (qp == null) {
            throw new IllegalStateException("queue " + name + " is a sketch: it has no QP");
        }
        return qp;
    }

    @Override
    public String toString() {
        return name;
    }
}
