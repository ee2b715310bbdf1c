package org.jvrpc.runtime;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** Access to the descriptor of a rendezvous; see {@link RpcHeader}. */
final class Descriptor {

    private static final VarHandle INT = MethodHandles.byteBufferViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);
    private static final VarHandle LONG = MethodHandles.byteBufferViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

    private Descriptor() {
    }

    static void write(ByteBuffer memory, int at, Body body) {
        LONG.set(memory, at, body.address());
        INT.set(memory, at + 8, body.rkey());
    }

    static long address(ByteBuffer memory, int at) {
        return (long) LONG.get(memory, at);
    }

    static int rkey(ByteBuffer memory, int at) {
        return (int) INT.get(memory, at + 8);
    }
}
