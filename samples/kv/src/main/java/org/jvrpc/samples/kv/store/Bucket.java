package org.jvrpc.samples.kv.store;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * A bucket of the offload index, 32 bytes, aligned to 32. A NIC program reads the first 24 bytes into a work request as
 * they are, so they are in the order and byte order that work requests have.
 *
 * <pre>
 *  0 | k5 k4 k3 00 k2 k1 k0 ds |  k5: highest byte of the 48-bit key; ds 3: there is an item; empty: all 0, ds 1
 *  8 | address:64   big-endian |  of the published item, in the device's address space
 * 16 | length:32    big-endian |  40 + key + value
 * 20 | zero:32                 |
 * 24 | spare:64                |
 * </pre>
 */
public final class Bucket {

    /** Bytes of a bucket. */
    public static final int BYTES = 32;
    /** The first word of a bucket without an item, as a big-endian long. */
    public static final long EMPTY = 1;

    static final int IMAGE = 0;
    static final int ADDRESS = 8;
    static final int LENGTH = 16;

    private static final int LIVE = 3;

    private Bucket() {
    }

    /** Returns the first word of a key's bucket, as a big-endian long. */
    public static long image(long key48) {
        return key48 >>> 24 << 40 | (key48 & 0xffffff) << 8 | LIVE;
    }

    /** Returns the 48-bit key in a first word, or 0 when the bucket is empty. */
    public static long key48(long image) {
        return (image & 0xff) == LIVE ? image >>> 40 << 24 | image >>> 8 & 0xffffff : 0;
    }

    /** Returns the first word of a bucket that a READ brought. @param at where the bucket begins */
    public static long image(ByteBuffer buffer, int at) {
        return bigEndian(buffer, at + IMAGE);
    }

    /** Returns the item's address from a bucket that a READ brought. */
    public static long address(ByteBuffer buffer, int at) {
        return bigEndian(buffer, at + ADDRESS);
    }

    /** Returns the item's length from a bucket that a READ brought. */
    public static int length(ByteBuffer buffer, int at) {
        int raw = buffer.getInt(at + LENGTH);
        return buffer.order() == ByteOrder.BIG_ENDIAN ? raw : Integer.reverseBytes(raw);
    }

    private static long bigEndian(ByteBuffer buffer, int at) {
        long raw = buffer.getLong(at);
        return buffer.order() == ByteOrder.BIG_ENDIAN ? raw : Long.reverseBytes(raw);
    }
}
