package org.jvrpc.softrnic.memory;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** The remote atomics, on 8 aligned bytes in host order. Which of the two ways is the slab's: {@link Slab#atomics}. */
public final class Atomics {

    /** Atomic also against the CPU and other processes. */
    public static final Atomics SHARED = new Atomics(false);
    /**
     * By loads and stores, of one thread that executes all atomics there are on that memory; against the CPU they are
     * not atomic, as those of most adapters ({@code IBV_ATOMIC_HCA}). For memory that its owner may cut: where no page
     * is behind a mapping a virtual machine survives loads and stores, and not each form of compare-and-set.
     */
    public static final Atomics ALONE = new Atomics(true);

    public static final boolean LITTLE = ByteOrder.nativeOrder() == ByteOrder.LITTLE_ENDIAN;

    private static final VarHandle LONG = MethodHandles.byteBufferViewVarHandle(long[].class, ByteOrder.nativeOrder());
    /** How often a compare-and-set is tried on memory that others change. */
    private static final int TRIES = 1_000;

    private final boolean alone;

    private Atomics(boolean alone) {
        this.alone = alone;
    }

    /** Stores 8 aligned bytes in host order. */
    public static void put(ByteBuffer memory, int at, long value) {
        LONG.set(memory, at, value);
    }

    /** Stores {@code swap} where {@code compare} is found; returns what was found. */
    public long compareAndSwap(ByteBuffer memory, int at, long compare, long swap) {
        if (!alone) {
            return (long) LONG.compareAndExchange(memory, at, compare, swap);
        }
        long found = (long) LONG.getVolatile(memory, at);
        if (found == compare) {
            LONG.setVolatile(memory, at, swap);
        }
        return found;
    }

    /** Adds; returns what was found. */
    public long fetchAndAdd(ByteBuffer memory, int at, long add) {
        if (!alone) {
            return (long) LONG.getAndAdd(memory, at, add);
        }
        long found = (long) LONG.getVolatile(memory, at);
        LONG.setVolatile(memory, at, found + add);
        return found;
    }

    /**
     * Stores the bits of {@code swap} under its mask where those of {@code compare} are found under its own. Tried a
     * limited number of times: the memory may be that of somebody who changes it all the time.
     *
     * @param old its first takes what was found
     * @return false when it was changed too often, and is as others left it
     */
    public boolean maskedCompareAndSwap(
            ByteBuffer memory, int at, long compare, long swap, long compareMask, long swapMask, long[] old) {
        for (int i = 0; i < TRIES; i++) {
            long found = (long) LONG.getAcquire(memory, at);
            if (((found ^ compare) & compareMask) != 0
                    || change(memory, at, found, found & ~swapMask | swap & swapMask)) {
                old[0] = found;
                return true;
            }
        }
        return false;
    }

    /**
     * Adds field by field: a bit of {@code boundary} is the highest of its field, which gives no carry. Tried and
     * answered as above.
     */
    public boolean maskedFetchAndAdd(ByteBuffer memory, int at, long add, long boundary, long[] old) {
        for (int i = 0; i < TRIES; i++) {
            old[0] = (long) LONG.getAcquire(memory, at);
            if (change(memory, at, old[0], sum(old[0], add, boundary))) {
                return true;
            }
        }
        return false;
    }

    private boolean change(ByteBuffer memory, int at, long from, long to) {
        if (!alone) {
            return LONG.compareAndSet(memory, at, from, to);
        }
        LONG.setVolatile(memory, at, to);
        return true;
    }

    private static long sum(long old, long add, long boundary) {
        // Without their highest bits the fields cannot carry into each other; those are added without carry.
        return (old & ~boundary) + (add & ~boundary) ^ (old ^ add) & boundary;
    }
}
