package org.jvrpc.softrnic.roce.ring;

import java.security.SecureRandom;

/**
 * What peers on the network know keys of memory by. The keys of a device are numbers of table entries, which anybody
 * could guess who has seen one; peers get them through a permutation of all 32-bit numbers, which chance chose when the
 * device was opened. Any thread.
 */
public final class RemoteKeys {

    private static final int ROUNDS = 8;
    private static final int HALF = 16;
    private static final int MASK = 0xffff;

    private final long[] rounds;

    private RemoteKeys(long[] rounds) {
        this.rounds = rounds;
    }

    /** Returns a permutation that nobody can foretell. */
    public static RemoteKeys random() {
        SecureRandom random = new SecureRandom();
        long[] rounds = new long[ROUNDS];
        for (int i = 0; i < ROUNDS; i++) {
            rounds[i] = random.nextLong();
        }
        return new RemoteKeys(rounds);
    }

    /** Returns what changes nothing, where peers are no strangers. */
    public static RemoteKeys plain() {
        return new RemoteKeys(new long[0]);
    }

    /** Returns what peers know a key by. */
    public int of(int key) {
        int left = key >>> HALF;
        int right = key & MASK;
        for (long round : rounds) {
            int next = left ^ mix(right, round);
            left = right;
            right = next;
        }
        return left << HALF | right;
    }

    /** Returns the key that a peer knows by this number; it may be none. */
    public int key(int rkey) {
        int left = rkey >>> HALF;
        int right = rkey & MASK;
        for (int i = rounds.length - 1; i >= 0; i--) {
            int before = right ^ mix(left, rounds[i]);
            right = left;
            left = before;
        }
        return left << HALF | right;
    }

    private static int mix(int half, long round) {
        long x = (half + 1) * (round | 1);
        x = (x ^ x >>> 32) * 0x9e3779b97f4a7c15L + round;
        return (int) ((x ^ x >>> 29) * 0xbf58476d1ce4e5b9L >>> 48);
    }
}
