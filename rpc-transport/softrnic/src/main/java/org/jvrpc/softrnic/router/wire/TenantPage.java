package org.jvrpc.softrnic.router.wire;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * What a device and its router say to each other without a system call; one page a device. Little-endian.
 *
 * <pre>
 *   0 magic:32 | 4 version:32 | 8 incarnation of the router:64
 * 128 parked:32, 1 while the router sleeps or seldom looks here
 * 256 64 words of 64 bits: submit rings that were written while they were not hot, by their places
 * </pre>
 */
public final class TenantPage {

    /** Bytes of a page. */
    public static final int BYTES = 4096;
    /** How many submit rings have a bit of their own. */
    public static final int RINGS = 4096;
    /** How many words of bits there are. */
    public static final int WORDS = RINGS / 64;

    private static final VarHandle INT = MethodHandles.byteBufferViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);
    private static final VarHandle LONG = MethodHandles.byteBufferViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    private static final int MAGIC = 0x31505254;
    private static final int INCARNATION = 8;
    private static final int PARKED = 128;
    private static final int BITS = 256;

    private TenantPage() {
    }

    /** Writes what does not change; by the router. */
    public static void write(ByteBuffer memory, int at, long incarnation) {
        INT.set(memory, at + 4, ControlFrame.VERSION);
        LONG.set(memory, at + INCARNATION, incarnation);
        INT.setRelease(memory, at, MAGIC);
    }

    public static boolean isParked(ByteBuffer memory, int at) {
        return (int) INT.getVolatile(memory, at + PARKED) != 0;
    }

    public static void park(ByteBuffer memory, int at, boolean parked) {
        INT.setVolatile(memory, at + PARKED, parked ? 1 : 0);
    }

    /** Marks a submit ring as written. */
    public static void mark(ByteBuffer memory, int at, int place) {
        LONG.getAndBitwiseOr(memory, at + BITS + 8 * (place >>> 6), 1L << (place & 63));
    }

    /** Takes the marks of a word, 0 to {@link #WORDS} - 1. */
    public static long take(ByteBuffer memory, int at, int word) {
        int offset = at + BITS + 8 * word;
        return (long) LONG.getOpaque(memory, offset) == 0 ? 0 : (long) LONG.getAndSet(memory, offset, 0L);
    }
}
