package org.jvrpc.softrnic;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** Copies bytes between pieces of memory; what a DMA engine does. */
final class Copy {

    private static final VarHandle LONG = MethodHandles.byteBufferViewVarHandle(long[].class, ByteOrder.nativeOrder());
    private static final VarHandle INT = MethodHandles.byteBufferViewVarHandle(int[].class, ByteOrder.nativeOrder());

    /** Up to here a loop beats the call that copies in bulk. */
    private static final int SMALL = 128;

    private Copy() {
    }

    /** Copies; an aligned piece of 4 or 8 bytes is written at once. */
    static void bytes(ByteBuffer source, int from, ByteBuffer target, int to, int length) {
        if (length > SMALL) {
            target.put(to, source, from, length);
            return;
        }
        if (length < 8) {
            few(source, from, target, to, length);
            return;
        }
        int i = 0;
        for (; i <= length - 8; i += 8) {
            LONG.set(target, to + i, (long) LONG.get(source, from + i));
        }
        if (i < length) {
            few(source, from + i, target, to + i, length - i);
        }
    }

    /** Copies less than 8 bytes; without a loop, which would be unrolled for nothing. */
    private static void few(ByteBuffer source, int from, ByteBuffer target, int to, int length) {
        int i = 0;
        if ((length & 4) != 0) {
            INT.set(target, to, (int) INT.get(source, from));
            i = 4;
        }
        if ((length & 2) != 0) {
            target.put(to + i, source.get(from + i));
            target.put(to + i + 1, source.get(from + i + 1));
            i += 2;
        }
        if ((length & 1) != 0) {
            target.put(to + i, source.get(from + i));
        }
    }

    /** Copies between slabs, across windows. */
    static void bytes(Slab source, long from, Slab target, long to, long length) {
        while (length > 0) {
            long piece = Math.min(length, Math.min(Slab.untilWindowEnd(from), Slab.untilWindowEnd(to)));
            bytes(source.window(from), Slab.index(from), target.window(to), Slab.index(to), (int) piece);
            from += piece;
            to += piece;
            length -= piece;
        }
    }
}
