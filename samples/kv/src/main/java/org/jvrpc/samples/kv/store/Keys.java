package org.jvrpc.samples.kv.store;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.security.SecureRandom;

/**
 * The hash of keys: SipHash-1-3 with a secret of 128 bits that each store draws when it is made, so that nobody who
 * does not know it can make keys that collide. The secret lies in the superblock; clients that compute hashes are told
 * it. Immutable; any thread.
 *
 * <p>Source: Aumasson and Bernstein, "SipHash: a fast short-input PRF"; one round a word and three at the end, as
 * Python and Rust have it for their tables.
 */
public final class Keys {

    /** The longest key in bytes, as in memcached. */
    public static final int MAX_LENGTH = 250;

    private static final VarHandle LONGS =
            MethodHandles.byteBufferViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    private static final int FINAL_ROUNDS = 3;
    private static final long MASK_48 = (1L << 48) - 1;

    private final long first;
    private final long second;

    /** Makes the hash of a secret. */
    public Keys(long first, long second) {
        this.first = first;
        this.second = second;
    }

    /** Draws a secret. */
    public static Keys random() {
        SecureRandom random = new SecureRandom();
        return new Keys(random.nextLong(), random.nextLong());
    }

    /** Returns the lower half of the secret. */
    public long first() {
        return first;
    }

    /** Returns the upper half of the secret. */
    public long second() {
        return second;
    }

    /** Returns 64 bits of hash of a buffer's bytes, by absolute index and whatever its byte order. */
    public long hash(ByteBuffer bytes, int offset, int length) {
        long v0 = first ^ 0x736f6d6570736575L;
        long v1 = second ^ 0x646f72616e646f6dL;
        long v2 = first ^ 0x6c7967656e657261L;
        long v3 = second ^ 0x7465646279746573L;
        int words = length >> 3;
        for (int i = 0; i <= words + FINAL_ROUNDS; i++) {
            long word = i < words ? (long) LONGS.get(bytes, offset + (i << 3))
                    : i == words ? last(bytes, offset, length) : 0;
            if (i == words + 1) {
                v2 ^= 0xff;
            }
            v3 ^= word;
            v0 += v1;
            v1 = Long.rotateLeft(v1, 13) ^ v0;
            v0 = Long.rotateLeft(v0, 32);
            v2 += v3;
            v3 = Long.rotateLeft(v3, 16) ^ v2;
            v0 += v3;
            v3 = Long.rotateLeft(v3, 21) ^ v0;
            v2 += v1;
            v1 = Long.rotateLeft(v1, 17) ^ v2;
            v2 = Long.rotateLeft(v2, 32);
            v0 ^= word;
        }
        return v0 ^ v1 ^ v2 ^ v3;
    }

    private static long last(ByteBuffer bytes, int offset, int length) {
        long word = (long) length << 56;
        for (int at = length & ~7, shift = 0; at < length; at++, shift += 8) {
            word |= (bytes.get(offset + at) & 0xffL) << shift;
        }
        return word;
    }

    /** Returns the 48-bit key of a hash that the offload index knows: its low 48 bits, or 1 where they are 0. */
    public static long key48(long hash) {
        long key = hash & MASK_48;
        return key == 0 ? 1 : key;
    }
}
