package org.jvrpc.offload.table;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * Layout of what tells clients where an index is. Little-endian; whole when both generations are equal.
 *
 * <pre>
 * 0 generation:64 | 8 address of the first bucket or node:64 | 16 how many:64 | 24 generation:64
 * </pre>
 * Who changes it writes the second generation, then address and count, then the first, each with release.
 */
public final class IndexHeader {

    /** Bytes of the header. */
    public static final int BYTES = 32;
    /** Offset of the generation. */
    public static final int GENERATION = 0;
    /** Offset of the address. */
    public static final int ADDRESS = 8;
    /** Offset of the count. */
    public static final int COUNT = 16;
    /** Offset of the generation once more. */
    public static final int GENERATION_AGAIN = 24;

    private static final VarHandle LONG = MethodHandles.byteBufferViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

    private IndexHeader() {
    }

    /**
     * Changes where an index is; one thread, in memory that others read. What is at the address is written before.
     */
    public static void publish(ByteBuffer memory, int at, long address, long count) {
        long generation = (long) LONG.get(memory, at + GENERATION) + 1;
        // Acquired by readers, who read from the first word to the last: the second generation changes first.
        LONG.setRelease(memory, at + GENERATION_AGAIN, generation);
        VarHandle.storeStoreFence();
        LONG.setRelease(memory, at + ADDRESS, address);
        LONG.setRelease(memory, at + COUNT, count);
        LONG.setRelease(memory, at + GENERATION, generation);
    }

    /** Reads the address where it is written; acquire. */
    static long liveAddress(ByteBuffer memory, int at) {
        return (long) LONG.getAcquire(memory, at + ADDRESS);
    }

    /** Reads the count where it is written; acquire. */
    static long liveCount(ByteBuffer memory, int at) {
        return (long) LONG.getAcquire(memory, at + COUNT);
    }

    private static long at(ByteBuffer copy, int at) {
        long raw = copy.getLong(at);
        return copy.order() == ByteOrder.LITTLE_ENDIAN ? raw : Long.reverseBytes(raw);
    }

    /** Returns whether a copy is whole. */
    public static boolean isWhole(ByteBuffer copy, int at) {
        return generation(copy, at) == at(copy, at + GENERATION_AGAIN);
    }

    /** Returns the generation of a copy. */
    public static long generation(ByteBuffer copy, int at) {
        return at(copy, at + GENERATION);
    }

    /** Returns the address of a copy. */
    public static long address(ByteBuffer copy, int at) {
        return at(copy, at + ADDRESS);
    }

    /** Returns the count of a copy. */
    public static long count(ByteBuffer copy, int at) {
        return at(copy, at + COUNT);
    }
}
