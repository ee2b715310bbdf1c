package org.jvrpc.offload.table;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * Layout of a bucket of a hash table that programs read. Its first 8 bytes are the first 8 of a NOP's ctrl segment with
 * the key where a card that does not check them leaves room: a READ puts them over the answer's, and a
 * compare-and-swap that finds them as the client said makes a WRITE of the NOP. Big-endian.
 *
 * <pre>
 *  0 key 47…24:24 | opcode, NOP:8 | key 23…0:24 | ds:8, 3 where there is a value, 1 where there is none
 *  8 address of the value:64 | 16 length of the value:32 | 20 zero:32 | 24 the owner's:64
 * </pre>
 * Source: RedN, hash_bench.c, for the idea of the image; the opmod's and index's bits besides those of the QP number
 * are the paper's 48 bits.
 */
public final class Bucket {

    /** Bytes of a bucket, and its alignment. */
    public static final int BYTES = 32;
    /** Bytes that a program reads: key image, address, length. */
    public static final int READ_BYTES = 20;
    /** Offset of the key image. */
    public static final int IMAGE = 0;
    /** Offset of the value's address. */
    public static final int ADDRESS = 8;
    /** Offset of the value's length. */
    public static final int LENGTH = 16;
    /** Offset of 8 bytes for whoever owns the table. */
    public static final int OWNER = 24;
    /** The keys are 0 to this. */
    public static final long MAX_KEY = (1L << 48) - 1;
    /** The image of a bucket without a value: a NOP of one segment. */
    public static final long EMPTY = 1;
    /** Segments of the answer: ctrl, raddr, data. */
    static final int LIVE = 3;

    private static final VarHandle LONG = MethodHandles.byteBufferViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);
    private static final VarHandle INT = MethodHandles.byteBufferViewVarHandle(int[].class, ByteOrder.BIG_ENDIAN);

    private Bucket() {
    }

    /** Returns the image of a key of 48 bits that has a value. */
    public static long image(long key) {
        if (key < 0 || key > MAX_KEY) {
            throw new IllegalArgumentException("key must be 0 to 0xffffffffffff, key=0x" + Long.toHexString(key));
        }
        return key >>> 24 << 40 | (key & 0xffffff) << 8 | LIVE;
    }

    /** Returns the key of an image that is not {@link #EMPTY}. */
    public static long key(long image) {
        return image >>> 40 << 24 | image >>> 8 & 0xffffff;
    }

    /** Reads the image; acquire. */
    public static long image(ByteBuffer memory, int at) {
        return (long) LONG.getAcquire(memory, at + IMAGE);
    }

    /** Reads the value's address. */
    public static long address(ByteBuffer memory, int at) {
        return (long) LONG.getOpaque(memory, at + ADDRESS);
    }

    /** Reads the value's length in bytes. */
    public static int length(ByteBuffer memory, int at) {
        return (int) INT.getOpaque(memory, at + LENGTH);
    }

    /**
     * Points the bucket to a value, which is written already; a program that reads meanwhile may see any mixture of old
     * and new address, length and key, so that values must tell whose and how long they are.
     */
    public static void publish(ByteBuffer memory, int at, long key, long address, int length) {
        LONG.setRelease(memory, at + ADDRESS, address);
        INT.setRelease(memory, at + LENGTH, length);
        LONG.setRelease(memory, at + IMAGE, image(key));
    }

    /** Empties the bucket. */
    public static void clear(ByteBuffer memory, int at) {
        LONG.setRelease(memory, at + IMAGE, EMPTY);
    }
}
