package org.jvrpc.softrnic;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** The two remote atomics, on 8 aligned bytes in host order, atomic also against the CPU. */
final class Atomics {

    static final boolean LITTLE = ByteOrder.nativeOrder() == ByteOrder.LITTLE_ENDIAN;

    private static final VarHandle LONG = MethodHandles.byteBufferViewVarHandle(long[].class, ByteOrder.nativeOrder());

    private Atomics() {
    }

    /** Stores {@code swap} where {@code compare} is found; returns what was found. */
    static long compareAndSwap(ByteBuffer memory, int at, long compare, long swap) {
        return (long) LONG.compareAndExchange(memory, at, compare, swap);
    }

    /** Adds; returns what was found. */
    static long fetchAndAdd(ByteBuffer memory, int at, long add) {
        return (long) LONG.getAndAdd(memory, at, add);
    }
}
