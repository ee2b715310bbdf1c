package org.jvrpc.verbs.contract;

import java.util.SplittableRandom;

/** Bytes that tell where they belong: equal seeds make equal bytes. */
public final class Pattern {

    private Pattern() {
    }

    /** Makes bytes from a seed. */
    public static byte[] bytes(long seed, int length) {
        byte[] bytes = new byte[length];
        new SplittableRandom(seed).nextBytes(bytes);
        return bytes;
    }

    /** Returns the seed of a random test, and prints it: {@code -Djvrpc.test.seed} replays a run. */
    public static long seed(String test) {
        long seed = Long.getLong("jvrpc.test.seed", System.nanoTime());
        System.out.println(test + ": jvrpc.test.seed=" + seed);
        return seed;
    }
}
