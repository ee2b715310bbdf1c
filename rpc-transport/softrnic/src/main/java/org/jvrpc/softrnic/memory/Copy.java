package org.jvrpc.softrnic.memory;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** Copies bytes between pieces of memory; what a DMA engine does. */
public final class Copy {

    private static final VarHandle LONG = MethodHandles.byteBufferViewVarHandle(long[].class, ByteOrder.nativeOrder());
    private static final VarHandle LITTLE =
            MethodHandles.byteBufferViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    private static final VarHandle INT = MethodHandles.byteBufferViewVarHandle(int[].class, ByteOrder.nativeOrder());
    private static final VarHandle SHORT =
            MethodHandles.byteBufferViewVarHandle(short[].class, ByteOrder.nativeOrder());

    /** Up to here a loop beats the call that copies in bulk. */
    private static final int SMALL = 128;

    private Copy() {
    }

    /** Copies; an aligned piece of 4 or 8 bytes is written at once. */
    public static void bytes(ByteBuffer source, int from, ByteBuffer target, int to, int length) {
        if (length == 1) {
            target.put(to, source.get(from));
        } else if (length == 8) {
            word(source, from, target, to);
        } else if (length <= SMALL) {
            small(source, from, target, to, length);
        } else {
            target.put(to, source, from, length);
        }
    }

    /** Four words at a time; a loop over single ones would be unrolled, for lengths that do not come. */
    private static void small(ByteBuffer source, int from, ByteBuffer target, int to, int length) {
        int i = 0;
        for (; i <= length - 32; i += 32) {
            word(source, from + i, target, to + i);
            word(source, from + i + 8, target, to + i + 8);
            word(source, from + i + 16, target, to + i + 16);
            word(source, from + i + 24, target, to + i + 24);
        }
        for (; i <= length - 8; i += 8) {
            word(source, from + i, target, to + i);
        }
        if ((length & 4) != 0) {
            INT.set(target, to + i, (int) INT.get(source, from + i));
            i += 4;
        }
        if ((length & 2) != 0) {
            SHORT.set(target, to + i, (short) SHORT.get(source, from + i));
            i += 2;
        }
        if ((length & 1) != 0) {
            target.put(to + i, source.get(from + i));
        }
    }

    private static void word(ByteBuffer source, int from, ByteBuffer target, int to) {
        LONG.set(target, to, (long) LONG.get(source, from));
    }

    /** Writes 16 bytes, the lowest of each long first. */
    public static void pair(long first, long second, ByteBuffer target, int to) {
        LITTLE.set(target, to, first);
        LITTLE.set(target, to + 8, second);
    }

    /** Copies between slabs, across windows. */
    public static void bytes(Slab source, long from, Slab target, long to, long length) {
        while (length > 0) {
            long piece = Math.min(length, Math.min(Slab.untilWindowEnd(from), Slab.untilWindowEnd(to)));
            bytes(source.window(from), Slab.index(from), target.window(to), Slab.index(to), (int) piece);
            from += piece;
            to += piece;
            length -= piece;
        }
    }
}
