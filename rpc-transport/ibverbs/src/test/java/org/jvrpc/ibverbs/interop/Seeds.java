package org.jvrpc.ibverbs.interop;

/** Seeds of tests, printed; {@code -Djvrpc.test.seed=N} runs with one of them again. */
final class Seeds {

    private Seeds() {
    }

    static long next(String test) {
        long seed = Long.getLong("jvrpc.test.seed", System.nanoTime());
        System.out.println(test + ": jvrpc.test.seed=" + seed);
        return seed;
    }
}
