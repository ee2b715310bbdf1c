package org.jvrpc.roce.wire;

import java.nio.ByteBuffer;

/**
 * Atomic extended transport header.
 *
 * <pre>
 * 0 address:64 | 8 rkey:32 | 12 value to swap in or add:64 | 20 value to compare with:64
 * </pre>
 */
public final class AtomicEth {

    /** Bytes in the header. */
    public static final int BYTES = 28;

    private static final int RKEY = 8;
    private static final int SWAP_OR_ADD = 12;
    private static final int COMPARE = 20;

    private AtomicEth() {
    }

    public static void write(ByteBuffer packet, int at, long address, int rkey, long swapOrAdd, long compare) {
        packet.putLong(at, address);
        packet.putInt(at + RKEY, rkey);
        packet.putLong(at + SWAP_OR_ADD, swapOrAdd);
        packet.putLong(at + COMPARE, compare);
    }

    public static long address(ByteBuffer packet, int at) {
        return packet.getLong(at);
    }

    public static int rkey(ByteBuffer packet, int at) {
        return packet.getInt(at + RKEY);
    }

    public static long swapOrAdd(ByteBuffer packet, int at) {
        return packet.getLong(at + SWAP_OR_ADD);
    }

    public static long compare(ByteBuffer packet, int at) {
        return packet.getLong(at + COMPARE);
    }
}
