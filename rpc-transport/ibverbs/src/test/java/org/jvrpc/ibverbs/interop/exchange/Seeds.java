package org.jvrpc.ibverbs.interop.exchange;

/** Seeds of tests, printed; {@code -Djvrpc.test.seed=N} runs with one of them again. */
public final class Seeds {

    private Seeds() {
    }

    public static long next(String test) {
        long seed = Long.getLong("jvrpc.test.seed", System.nanoTime());
        System.out.println(test + ": jvrpc.test.seed=" + seed);
        return seed;
    }
}
