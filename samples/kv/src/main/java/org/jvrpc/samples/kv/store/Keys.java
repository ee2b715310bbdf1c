package org.jvrpc.samples.kv.store;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * The hash of keys. Eight bytes at a time are multiplied, rotated and added in, the rest byte by byte; two rounds of
 * shift and multiplication spread the result. It is part of the layout: clients compute it too, so it must not change
 * without a new version of the superblock. Any thread.
 */
public final class Keys {

    /** The longest key in bytes, as in memcached. */
    public static final int MAX_LENGTH = 250;

    private static final VarHandle LONGS = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    private static final VarHandle BUFFER =
            MethodHandles.byteBufferViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    private static final long P1 = 0x9e3779b97f4a7c15L;
    private static final long P2 = 0xd6e8feb86659fd93L;
    private static final long P3 = 0xa0761d6478bd642fL;
    private static final long MASK_48 = (1L << 48) - 1;

    private Keys() {
    }

    /** Returns 64 bits of hash. */
    public static long hash(byte[] bytes, int offset, int length) {
        long h = P3 ^ length * P1;
        int at = offset;
        int end = offset + length;
        for (; at <= end - Long.BYTES; at += Long.BYTES) {
            h = step(h, (long) LONGS.get(bytes, at));
        }
        for (; at < end; at++) {
            h = step(h, bytes[at] & 0xff);
        }
        return mix(h);
    }

    /** Returns 64 bits of hash of a buffer's bytes, by absolute index and whatever its byte order. */
    public static long hash(ByteBuffer bytes, int offset, int length) {
        long h = P3 ^ length * P1;
        int at = offset;
        int end = offset + length;
        for (; at <= end - Long.BYTES; at += Long.BYTES) {
            h = step(h, (long) BUFFER.get(bytes, at));
        }
        for (; at < end; at++) {
            h = step(h, bytes.get(at) & 0xff);
        }
        return mix(h);
    }

    /** Returns the 48-bit key that the offload index knows a key by; never 0. */
    public static long key48(byte[] bytes, int offset, int length) {
        return key48(hash(bytes, offset, length));
    }

    /** Returns the 48-bit key that the offload index knows a key by; never 0. */
    public static long key48(ByteBuffer bytes, int offset, int length) {
        return key48(hash(bytes, offset, length));
    }

    /** Returns the 48-bit key of a hash: its low 48 bits, or 1 where they are zero. */
    public static long key48(long hash) {
        long key = hash & MASK_48;
        return key == 0 ? 1 : key;
    }

    private static long step(long h, long word) {
        return Long.rotateLeft(h ^ word * P2, 29) * P1 + P3;
    }

    private static long mix(long value) {
        long h = value;
        h = (h ^ h >>> 32) * P2;
        h = (h ^ h >>> 29) * P1;
        return h ^ h >>> 32;
    }
}
