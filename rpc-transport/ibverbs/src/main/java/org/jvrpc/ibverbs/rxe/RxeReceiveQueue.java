package org.jvrpc.ibverbs.rxe;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jvrpc.ibverbs.core.LkeyTable;
import org.jvrpc.verbs.Access;

/** The producer's side of a receive ring. Posted to by one thread, completed by one. */
final class RxeReceiveQueue {

    private static final VarHandle HEAD;
    private static final VarHandle TAIL;

    static {
        try {
            MethodHandles.Lookup lookup = MethodHandles.lookup();
            HEAD = lookup.findVarHandle(RxeReceiveQueue.class, "head", int.class);
            TAIL = lookup.findVarHandle(RxeReceiveQueue.class, "tail", int.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final RxeQueue ring;
    private final int id;
    private final int capacity;
    private final long[] wrIds;
    private int head; // written by who posts, read with acquire by who polls
    private int tail; // written by who polls, read with acquire by who posts

    RxeReceiveQueue(RxeQueue ring, int id, int depth) {
        this.ring = ring;
        this.id = id;
        this.capacity = Math.min(RxeQueuePair.roundUp(depth), ring.mask());
        this.wrIds = new long[ring.mask() + 1];
    }

    int capacity() {
        return capacity;
    }

    /** Returns how many WQEs there is room for. */
    int room() {
        return capacity - (head - (int) TAIL.getAcquire(this));
    }

    /** Writes a WQE at a place after the head of the ring, which has room; {@link #publish} moves the head. */
    void write(int place, long wrId, long[] words, int from, int count, long length) {
        int sequence = head + place;
        wrIds[sequence & ring.mask()] = wrId;
        RxeReceiveWqe.write(
                ring.memory(), ring.at(sequence), RxeTag.ofReceive(id, sequence), words, from, count, length);
    }

    /** Gives so many WQEs to the kernel, which looks for them when a message comes. */
    void publish(int count) {
        HEAD.setRelease(this, head + count);
        ring.produce(head);
    }

    /** Returns the user's id of the WQE with a sequence number. */
    long wrId(int sequence) {
        return wrIds[sequence & ring.mask()];
    }

    /** Returns true when the SGEs of the WQE with a sequence number, which is not taken back, are known memory. */
    boolean mayTouch(int sequence, LkeyTable keys) {
        int at = ring.at(sequence);
        return keys.mayTouch(ring.memory(), at + RxeReceiveWqe.DATA,
                ring.memory().getInt(at + RxeReceiveWqe.DMA_NUM_SGE), Access.LOCAL_WRITE);
    }

    /** Takes back the WQE with a sequence number; false when it was taken back before. */
    boolean complete(int sequence) {
        int distance = sequence - tail;
        if (distance < 0 || distance >= (int) HEAD.getAcquire(this) - tail) {
            return false;
        }
        TAIL.setRelease(this, sequence + 1);
        return true;
    }

    /** Returns true when a WQE is not complete; {@link #oldest()} is its sequence number. */
    boolean isPending() {
        return tail != (int) HEAD.getAcquire(this);
    }

    int oldest() {
        return tail;
    }
}
