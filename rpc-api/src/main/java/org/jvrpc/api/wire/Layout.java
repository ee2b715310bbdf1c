package org.jvrpc.api.wire;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/** The byte order and widths of the wire, in one place. */
final class Layout {

    static final VarHandle SHORT = handle(short[].class);
    static final VarHandle CHAR = handle(char[].class);
    static final VarHandle INT = handle(int[].class);
    static final VarHandle LONG = handle(long[].class);
    static final VarHandle FLOAT = handle(float[].class);
    static final VarHandle DOUBLE = handle(double[].class);

    /** The low bit of a string's length word: chars are 2 bytes wide. */
    static final int WIDE = 1;

    /** How deep values of one recursive type may nest: far below what exhausts a stack of 512 KiB. */
    static final int MAX_DEPTH = 1000;

    private Layout() {
    }

    private static VarHandle handle(Class<?> array) {
        return MethodHandles.byteBufferViewVarHandle(array, ByteOrder.LITTLE_ENDIAN);
    }
}
