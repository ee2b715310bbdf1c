package org.jvrpc.softrnic.memory;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** The remote atomics, on 8 aligned bytes in host order, atomic also against the CPU. */
public final class Atomics {

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

    /** Adds field by field: a bit of {@code boundary} is the highest of its field, which gives no carry. */
    public static long maskedFetchAndAdd(ByteBuffer memory, int at, long add, long boundary) {
        while (true) {
            long old = (long) LONG.getAcquire(memory, at);
            // Without their highest bits the fields cannot carry into each other; those are added without carry.
            long sum = (old & ~boundary) + (add & ~boundary) ^ (old ^ add) & boundary;
            if (LONG.compareAndSet(memory, at, old, sum)) {
                return old;
            }
        }
    }
}
