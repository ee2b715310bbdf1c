package org.jvrpc.roce.wire;

import java.nio.ByteBuffer;

/**
 * RDMA extended transport header: the memory that a WRITE or READ names.
 *
 * <pre>
 * 0 address:64 | 8 rkey:32 | 12 length:32
 * </pre>
 */
public final class Reth {

    /** Bytes in the header. */
    public static final int BYTES = 16;

    private static final int RKEY = 8;
    private static final int LENGTH = 12;

    private Reth() {
    }

    public static void write(ByteBuffer packet, int at, long address, int rkey, int length) {
        packet.putLong(at, address);
        packet.putInt(at + RKEY, rkey);
        packet.putInt(at + LENGTH, length);
    }

    public static long address(ByteBuffer packet, int at) {
        return packet.getLong(at);
    }

    public static int rkey(ByteBuffer packet, int at) {
        return packet.getInt(at + RKEY);
    }

    /** Returns the length of the message in bytes, 0 to 2^32 - 1. */
    public static long length(ByteBuffer packet, int at) {
        return packet.getInt(at + LENGTH) & 0xffffffffL;
    }
}
