package org.jvrpc.ibverbs.rxe;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Users' ids of outstanding receives, in slots. One thread takes slots, any gives them back, and neither waits for the
 * other: free slots are a ring of so many places, in which the lap tells the taker that a place is filled.
 */
final class RxeSlots {

    private static final VarHandle LONGS = MethodHandles.arrayElementVarHandle(long[].class);

    private final int count;
    private final int mask;
    private final long[] wrIds;
    /** {@code lap << 32 | slot}; the lap is that of the place's number. */
    private final long[] free;
    private final AtomicInteger given = new AtomicInteger();
    private int taken;

    RxeSlots(int count) {
        this.count = count;
        this.mask = RxeQueuePair.roundUp(count) - 1;
        this.wrIds = new long[mask + 1];
        this.free = new long[mask + 1];
        for (int place = 0; place <= mask; place++) {
            free[place] = place < count ? entry(place, place) : -1; // of no lap
        }
        given.set(count);
    }

    private static long entry(int place, int slot) {
        return (long) place << 32 | slot;
    }

    int count() {
        return count;
    }

    /** Takes a slot for an id, or returns -1 when all are taken. */
    int take(long wrId) {
        // Acquire: pairs with the release in give; the id was read before.
        long entry = (long) LONGS.getAcquire(free, taken & mask);
        if ((int) (entry >>> 32) != taken) {
            return -1;
        }
        taken++;
        wrIds[(int) entry] = wrId;
        return (int) entry;
    }

    /** Gives a slot back, whose completion came, and returns its id. Any thread. */
    long give(int slot) {
        long wrId = wrIds[slot & mask];
        int place = given.getAndIncrement();
        LONGS.setRelease(free, place & mask, entry(place, slot & mask));
        return wrId;
    }
}
