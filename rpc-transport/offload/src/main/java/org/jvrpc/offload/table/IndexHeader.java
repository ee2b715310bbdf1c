package org.jvrpc.offload.table;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * Layout of what tells clients where an index is. Little-endian; whole when the check is that of the other words.
 *
 * <pre>
 * 0 generation:64 | 8 address of the first bucket or node:64 | 16 how many:64 | 24 check of these three:64
 * </pre>
 * The words may be written, and read, in any order: a READ promises none, neither a card's nor one that a processor of
 * weak order executes. A copy with words of two publications has a check that does not fit.
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
    /** Offset of the check. */
    public static final int CHECK = 24;

    private static final VarHandle LONG = MethodHandles.byteBufferViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

    private IndexHeader() {
    }

    /**
     * Returns the check of a header's words. It is not 0 for three zeros, so that memory which nobody has written is no
     * header.
     */
    public static long check(long generation, long address, long count) {
        return mix(mix(mix(0x9e3779b97f4a7c15L ^ generation) + address) + count);
    }

    /** The finalizer of MurmurHash3: a bit that changes changes half of the others. */
    private static long mix(long value) {
        long mixed = (value ^ value >>> 33) * 0xff51afd7ed558ccdL;
        mixed = (mixed ^ mixed >>> 33) * 0xc4ceb9fe1a85ec53L;
        return mixed ^ mixed >>> 33;
    }

    /**
     * Changes where an index is; one thread, in memory that others read. What is at the address is written before, and
     * what is cleared at the old one is cleared after.
     */
    public static void publish(ByteBuffer memory, int at, long address, long count) {
        long generation = (long) LONG.get(memory, at + GENERATION) + 1;
        // Release: who reads one of these words, and acquires, sees what is at the address.
        LONG.setRelease(memory, at + GENERATION, generation);
        LONG.setRelease(memory, at + ADDRESS, address);
        LONG.setRelease(memory, at + COUNT, count);
        LONG.setRelease(memory, at + CHECK, check(generation, address, count));
        VarHandle.storeStoreFence(); // a bucket that was moved is cleared where it was when the generation has changed
    }

    /** Says that there is no index for now, or none that is whole; ordered before what is written next. */
    static void withdraw(ByteBuffer memory, int at) {
        long check = check(generation(memory, at), address(memory, at), count(memory, at));
        LONG.setRelease(memory, at + CHECK, ~check);
        VarHandle.storeStoreFence();
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
        return check(generation(copy, at), address(copy, at), count(copy, at)) == at(copy, at + CHECK);
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
