package org.jvrpc.runtime.session;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** Access to the descriptor of a rendezvous; see {@link RpcHeader}. */
public final class Descriptor {

    private static final VarHandle INT = MethodHandles.byteBufferViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);
    private static final VarHandle LONG = MethodHandles.byteBufferViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

    private Descriptor() {
    }

    public static void write(ByteBuffer memory, int at, long address, int rkey) {
        LONG.set(memory, at, address);
        INT.set(memory, at + 8, rkey);
    }

    public static long address(ByteBuffer memory, int at) {
        return (long) LONG.get(memory, at);
    }

    public static int rkey(ByteBuffer memory, int at) {
        return (int) INT.get(memory, at + 8);
    }
}
