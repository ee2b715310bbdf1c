package org.jvrpc.mlx5;

import java.nio.ByteBuffer;
import org.jvrpc.verbs.PostReceive;
import org.jvrpc.verbs.ReceiveRequest;
import org.jvrpc.verbs.SharedReceiveQueue;
import org.jvrpc.verbs.SharedReceiveQueueAttributes;
import org.jvrpc.verbs.VerbsException;

/** An SRQ over an mlx5 ring. One thread at a time posts; polls of all its QPs' CQs complete, on their threads. */
public final class Mlx5SharedReceiveQueue implements SharedReceiveQueue {

    private final int number;
    private final SharedReceiveQueueAttributes attributes;
    private final SharedReceiveRing ring;
    private final SharedReceiveControl control;
    private final LocalMemory memory;
    private int users;
    private volatile boolean closed;

    /**
     * @param number SRQ number, 24 bits
     * @param queue {@link #entries} of {@link #stride}; its doorbell record is a counter in the first 4 bytes
     * @param memory of the SRQ's protection domain
     */
    public Mlx5SharedReceiveQueue(
            int number,
            SharedReceiveQueueAttributes attributes,
            QueueMemory queue,
            SharedReceiveControl control,
            LocalMemory memory) {
        this.number = number;
        this.attributes = attributes;
        this.ring = new SharedReceiveRing(queue);
        this.control = control;
        this.memory = memory;
    }

    /** Returns how many WQEs the ring of an SRQ has, a power of two: one is never posted. */
    public static int entries(SharedReceiveQueueAttributes attributes) {
        return Mlx5QueuePair.roundUp(attributes.maxWr() + 1);
    }

    /** Returns the bytes of a WQE, a power of two. */
    public static int stride(SharedReceiveQueueAttributes attributes) {
        return Mlx5QueuePair.roundUp(1 + attributes.maxSge()) * Wqe.SEGMENT;
    }

    @Override
    public int number() {
        return number;
    }

    @Override
    public int depth() {
        return ring.depth();
    }

    @Override
    public PostReceive prepareReceive(ReceiveRequest... requests) {
        return new Mlx5PostSharedReceive(this, ring, requests);
    }

    int maxSge() {
        return attributes.maxSge();
    }

    boolean isClosed() {
        return closed;
    }

    SharedReceiveRing ring() {
        return ring;
    }

    /** Lets a QP take receives from here. @throws VerbsException when the SRQ is closed */
    public synchronized void attach() {
        if (closed) {
            throw new VerbsException("create_qp", "shared receive queue is closed, number=" + number);
        }
        users++;
    }

    /** Ends what {@link #attach} began. */
    public synchronized void detach() {
        users--;
    }

    /**
     * For devices: returns true when a receive is posted and was not polled yet. Any thread.
     *
     * @param before how many receives had been posted before this one; tells it from others at its place in the ring
     */
    public boolean isPosted(int index, int before) {
        return ring.isPosted(index, before);
    }

    /** For devices: takes a receive back that no QP will complete any more, without a report. Any thread. */
    public void takeBack(int index) {
        if (ring.complete(index)) {
            ring.release(index);
        }
    }

    /** Copies data from a CQE to the SGEs of the receive that it completes. */
    boolean scatter(int index, ByteBuffer source, int offset, int length) {
        int at = ring.offsetOf(index);
        return Scatter.bytes(
                memory, ring.memory(), at + SharedReceiveWqe.DATA, at + ring.stride(), source, offset, length);
    }

    /** Takes data that the device wrote to where the receive says that it completes. */
    void landed(int index, int length) {
        ShadowMemory shadow = memory.shadow();
        if (shadow != null) {
            int at = ring.offsetOf(index);
            Scatter.landed(shadow, ring.memory(), at + SharedReceiveWqe.DATA, at + ring.stride(), length);
        }
    }

    @Override
    public synchronized void close() {
        if (closed) {
            return;
        }
        if (users > 0) {
            throw new VerbsException("destroy_srq", "number=" + number + " is used by queue pairs=" + users);
        }
        closed = true;
        control.close();
    }
}
