package org.jvrpc.softrnic.router.wire;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * Where a QP's owner says what is to be sent, one ring a QP: short messages themselves, and a doorbell. The router
 * takes entries in order; what it reads there it reads once. Little-endian.
 *
 * <pre>
 *   0 taken:32, entries that the router has taken, seldom written
 *   4 heed:32, odd while the router looks here by itself; another number when that changes, and when it has heard a
 *     frame RING and is about to look. Who has rung by a frame need not do so again before
 *  64 rung:32, the producer of the send ring; the owner's line
 * 128 sixteen entries of 128 bytes: 0 word:64 | 8 message
 *     word: lap:16 (high) | kind:8 | length:8 | producer:32
 * </pre>
 * The word is stored last. The lap of the first sixteen entries is 1, so that memory of zeros holds none.
 */
public final class SubmitRing {

    /** Entries of a ring. */
    public static final int ENTRIES = 16;
    /** Bytes of a ring. */
    public static final int BYTES = 128 + ENTRIES * 128;
    /** The most bytes of a message. */
    public static final int MAX_MESSAGE = 112;
    /** Kind: a message; the producer is that before its WQE, which has one block. */
    public static final int PUSH = 1;
    /** Where an entry's message begins in it. */
    public static final int MESSAGE = 8;

    private static final VarHandle INT = MethodHandles.byteBufferViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);
    private static final VarHandle LONG = MethodHandles.byteBufferViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    private static final int HEED = 4;
    private static final int RUNG = 64;
    private static final int FIRST = 128;

    private SubmitRing() {
    }

    /** Returns the offset of an entry, which is counted from 0 on, from the ring. */
    public static int entry(int index) {
        return FIRST + (index & ENTRIES - 1) * 128;
    }

    /** Returns the word of an entry. */
    public static long word(int index, int kind, int length, int producer) {
        return (long) lap(index) << 48 | (long) kind << 40 | (long) length << 32 | producer & 0xffffffffL;
    }

    private static int lap(int index) {
        return (index >>> 4) + 1 & 0xffff;
    }

    /** Returns true when a word is that of an entry of this index. */
    public static boolean isOf(long word, int index) {
        return (int) (word >>> 48) == lap(index);
    }

    public static int kind(long word) {
        return (int) (word >>> 40) & 0xff;
    }

    public static int length(long word) {
        return (int) (word >>> 32) & 0xff;
    }

    public static int producer(long word) {
        return (int) word;
    }

    /** Release: pairs with {@link #read}. */
    public static void publish(ByteBuffer memory, int ring, int index, long word) {
        LONG.setRelease(memory, ring + entry(index), word);
    }

    /** Acquire: the message that belongs to the word is there. */
    public static long read(ByteBuffer memory, int ring, int index) {
        return (long) LONG.getAcquire(memory, ring + entry(index));
    }

    /** Returns how many entries the router says that it has taken; acquire, before they are written anew. */
    public static int taken(ByteBuffer memory, int ring) {
        return (int) INT.getAcquire(memory, ring);
    }

    public static void taken(ByteBuffer memory, int ring, int count) {
        INT.setRelease(memory, ring, count);
    }

    /** Returns the router's word on whether it looks here; an owner reads it behind what it wrote and a full fence. */
    public static int heed(ByteBuffer memory, int ring) {
        return (int) INT.getVolatile(memory, ring + HEED);
    }

    /** Returns whether the router looks by itself. @param heed its word */
    public static boolean isHot(int heed) {
        return (heed & 1) != 0;
    }

    /** Sets the router's word; ordered before its next look. */
    public static void heed(ByteBuffer memory, int ring, int word) {
        INT.setVolatile(memory, ring + HEED, word);
        VarHandle.fullFence(); // the look that follows is an acquire load, which might come before a volatile store
    }

    /** The owner's doorbell. Release: the WQEs before this producer are there. */
    public static void rung(ByteBuffer memory, int ring, int producer) {
        INT.setRelease(memory, ring + RUNG, producer);
    }

    /** Acquire: pairs with {@link #rung(ByteBuffer, int, int)}. */
    public static int rung(ByteBuffer memory, int ring) {
        return (int) INT.getAcquire(memory, ring + RUNG);
    }
}
