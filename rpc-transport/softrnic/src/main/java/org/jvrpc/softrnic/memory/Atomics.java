package org.jvrpc.softrnic.memory;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** The remote atomics, on 8 aligned bytes in host order, atomic also against the CPU. */
public final class Atomics {

    /** How often a compare-and-set is tried on memory that others change. */
    private static final int TRIES = 1_000;
    public static final boolean LITTLE = ByteOrder.nativeOrder() == ByteOrder.LITTLE_ENDIAN;

    private static final VarHandle LONG = MethodHandles.byteBufferViewVarHandle(long[].class, ByteOrder.nativeOrder());

    private Atomics() {
    }

    /** Stores 8 aligned bytes in host order. */
    public static void put(ByteBuffer memory, int at, long value) {
        LONG.set(memory, at, value);
    }

    /** Stores {@code swap} where {@code compare} is found; returns what was found. */
    public static long compareAndSwap(ByteBuffer memory, int at, long compare, long swap) {
        return (long) LONG.compareAndExchange(memory, at, compare, swap);
    }

    /** Adds; returns what was found. */
    public static long fetchAndAdd(ByteBuffer memory, int at, long add) {
        return (long) LONG.getAndAdd(memory, at, add);
    }

    /** Stores the bits of {@code swap} under its mask where those of {@code compare} are found under its own. */
    public static long maskedCompareAndSwap(
            ByteBuffer memory, int at, long compare, long swap, long compareMask, long swapMask) {
        while (true) {
            long old = (long) LONG.getAcquire(memory, at);
            if (((old ^ compare) & compareMask) != 0
                    || LONG.compareAndSet(memory, at, old, old & ~swapMask | swap & swapMask)) {
                return old;
            }
        }
    }

    /**
     * As above, tried a limited number of times: the memory may be that of somebody who changes it all the time.
     *
     * @param old takes what was found
     */
    public static boolean maskedCompareAndSwap(
            ByteBuffer memory, int at, long compare, long swap, long compareMask, long swapMask, long[] old) {
        for (int i = 0; i < TRIES; i++) {
            long found = (long) LONG.getAcquire(memory, at);
            if (((found ^ compare) & compareMask) != 0
                    || LONG.compareAndSet(memory, at, found, found & ~swapMask | swap & swapMask)) {
                old[0] = found;
                return true;
            }
        }
        return false;
    }

    /** Adds field by field: a bit of {@code boundary} is the highest of its field, which gives no carry. */
    public static long maskedFetchAndAdd(ByteBuffer memory, int at, long add, long boundary) {
        while (true) {
            long old = (long) LONG.getAcquire(memory, at);
            if (LONG.compareAndSet(memory, at, old, sum(old, add, boundary))) {
                return old;
            }
        }
    }

    /** As above, tried a limited number of times. @param old takes what was found */
    public static boolean maskedFetchAndAdd(ByteBuffer memory, int at, long add, long boundary, long[] old) {
        for (int i = 0; i < TRIES; i++) {
            old[0] = (long) LONG.getAcquire(memory, at);
            if (LONG.compareAndSet(memory, at, old[0], sum(old[0], add, boundary))) {
                return true;
            }
        }
        return false;
    }

    private static long sum(long old, long add, long boundary) {
        // Without their highest bits the fields cannot carry into each other; those are added without carry.
        return (old & ~boundary) + (add & ~boundary) ^ (old ^ add) & boundary;
    }
}
