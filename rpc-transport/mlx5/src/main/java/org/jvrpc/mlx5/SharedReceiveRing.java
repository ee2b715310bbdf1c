package org.jvrpc.mlx5;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The producer's side of an SRQ. Posted to by one thread, completed by any: what is complete goes to a queue of free
 * WQEs, from which the poster takes, so that neither waits for the other.
 */
final class SharedReceiveRing {

    private static final VarHandle INTS = MethodHandles.arrayElementVarHandle(int[].class);
    private static final int FREE = 0;
    private static final int POSTED = 1;
    private static final int INDEX_MASK = 0xffff;

    private final ByteBuffer memory;
    private final int ring;
    private final int mask;
    private final int shift;
    private final int stride;
    private final ByteBuffer records;
    private final int record;
    private final long[] wrIds;
    private final int[] states;
    /** For each WQE, how many were posted before it. */
    private final int[] posts;
    /** Free WQEs, first in first out: lap << 16 | index; the lap tells the poster that the place is filled. */
    private final int[] free;
    private final AtomicInteger freed = new AtomicInteger();
    /** The WQE that is posted next: held back, as the one before it names it. */
    private int head;
    private int taken;
    private int posted;

    SharedReceiveRing(QueueMemory queue) {
        this.memory = queue.memory();
        this.ring = queue.ring();
        this.mask = queue.entries() - 1;
        this.shift = Integer.numberOfTrailingZeros(queue.entries());
        this.stride = queue.stride();
        this.records = queue.records();
        this.record = queue.record();
        this.wrIds = new long[queue.entries()];
        this.states = new int[queue.entries()];
        this.posts = new int[queue.entries()];
        this.free = new int[queue.entries()];
        for (int index = 0; index <= mask; index++) {
            SharedReceiveWqe.next(memory, offsetOf(index), index + 1 & mask);
            free[index] = index + 1;
        }
        free[mask] = -1; // of no lap: the first WQE is held back
        freed.set(mask);
    }

    /** Returns how many may be posted: one less than there are. */
    int depth() {
        return mask;
    }

    int stride() {
        return stride;
    }

    ByteBuffer memory() {
        return memory;
    }

    int offsetOf(int index) {
        return ring + (index & mask) * stride;
    }

    /** Copies a WQE to the head of the list and links the next one behind it; false when the queue is full. */
    boolean write(byte[] template, int offset, long wrId) {
        // Acquire: pairs with the release of the place by who completed; its look at the WQE came before.
        int place = (int) INTS.getAcquire(free, taken & mask);
        if ((short) (place >>> 16) != (short) (taken >>> shift)) {
            return false;
        }
        taken++;
        int at = offsetOf(head);
        wrIds[head] = wrId;
        posts[head] = posted;
        INTS.setRelease(states, head, POSTED);
        for (int i = SharedReceiveWqe.DATA; i < stride; i += 8) {
            BigEndian.putRaw(memory, at + i, template, offset + i);
        }
        SharedReceiveWqe.next(memory, at, place & INDEX_MASK);
        head = place & INDEX_MASK;
        posted++;
        return true;
    }

    /** Publishes what was written; the device reads the counter with acquire. */
    void ring() {
        BigEndian.putIntRelease(records, record + DoorbellRecord.RECEIVE, posted & DoorbellRecord.COUNTER_MASK);
    }

    /** Returns the id of a WQE that is posted. */
    long wrId(int index) {
        return wrIds[index & mask];
    }

    /** Returns true when a WQE, which was posted after so many others, is not complete. */
    boolean isPosted(int index, int before) {
        return index >= 0 && index <= mask && (int) INTS.getAcquire(states, index) == POSTED && posts[index] == before;
    }

    /** Completes a WQE, once: false when it is not posted. The caller may look at it until {@link #release}. */
    boolean complete(int index) {
        return index >= 0 && index <= mask && INTS.compareAndSet(states, index, POSTED, FREE);
    }

    /** Gives a WQE that is complete to the poster. */
    void release(int index) {
        int place = freed.getAndIncrement();
        INTS.setRelease(free, place & mask, place >>> shift << 16 | index);
    }
}
