package org.jvrpc.offload.table;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** Where the answer for a call's arguments is: their 48-bit key, and the two buckets of a key. Any thread. */
public final class MethodHash {

    private static final VarHandle LONG = MethodHandles.byteBufferViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    /** Odd, with bits in no pattern: 2^64 divided by the golden ratio, and the square root of 3 after its point. */
    private static final long GOLDEN = 0x9e3779b97f4a7c15L;
    private static final long ROOT = 0xbb67ae8584caa73bL;

    private MethodHash() {
    }

    /** Returns the key of some bytes, 0 to {@link Bucket#MAX_KEY}. */
    public static long key(ByteBuffer bytes, int at, int length) {
        long hash = length * GOLDEN;
        int end = at + length;
        for (; at <= end - 8; at += 8) {
            hash = step(hash, (long) LONG.get(bytes, at));
        }
        if (at < end) {
            long rest = 0;
            for (int shift = 0; at < end; at++, shift += 8) {
                rest |= (bytes.get(at) & 0xffL) << shift;
            }
            hash = step(hash, rest);
        }
        return mix(hash) >>> 16;
    }

    private static long step(long hash, long word) {
        long next = (hash ^ word) * ROOT;
        return (next ^ next >>> 32) * GOLDEN;
    }

    private static long mix(long hash) {
        long next = (hash ^ hash >>> 29) * ROOT;
        return next ^ next >>> 32;
    }

    /** Returns the first bucket of a key. @param buckets how many there are, a power of two from 2 on */
    public static int first(long key, int buckets) {
        return (int) key & buckets - 1;
    }

    /** Returns the second bucket of a key, which is another. @param buckets how many there are, as for the first */
    public static int second(long key, int buckets) {
        int first = first(key, buckets);
        int second = (int) (mix(key * GOLDEN) >>> 20) & buckets - 1;
        return second != first ? second : first ^ 1;
    }
}
