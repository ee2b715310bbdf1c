package org.jvrpc.router.tenant;

import java.security.SecureRandom;
import java.util.function.IntUnaryOperator;

/**
 * What peers know a device's keys by: a permutation of 32 bits that is drawn for each device, so that one key that was
 * told says nothing of the others. It keeps guesses apart, and proves nothing: a key counts only for QPs that are
 * connected to its protection domain. Any thread.
 */
public final class RemoteKeys implements IntUnaryOperator {

    private static final int ROUNDS = 8;

    private final int[] secrets = new int[2 * ROUNDS];

    /** Draws one. */
    public RemoteKeys(SecureRandom random) {
        for (int i = 0; i < secrets.length; i++) {
            secrets[i] = random.nextInt();
        }
    }

    /** Returns what peers know a key by. */
    public int of(int key) {
        int left = key >>> 16;
        int right = key & 0xffff;
        for (int round = 0; round < ROUNDS; round++) {
            int next = left ^ mix(round, right);
            left = right;
            right = next;
        }
        return left << 16 | right;
    }

    /** Returns the key that peers know by a number. */
    @Override
    public int applyAsInt(int number) {
        int left = number >>> 16;
        int right = number & 0xffff;
        for (int round = ROUNDS - 1; round >= 0; round--) {
            int before = right ^ mix(round, left);
            right = left;
            left = before;
        }
        return left << 16 | right;
    }

    /** Returns 16 bits of 16 bits and a round's two secrets; the shifts and factors are those of MurmurHash3's end. */
    private int mix(int round, int half) {
        int x = half * 0x9e3779b1 ^ secrets[2 * round];
        x ^= x >>> 16;
        x *= 0x85ebca6b;
        x ^= (x >>> 13) + secrets[2 * round + 1];
        x *= 0xc2b2ae35;
        return (x ^ x >>> 16) & 0xffff;
    }
}
