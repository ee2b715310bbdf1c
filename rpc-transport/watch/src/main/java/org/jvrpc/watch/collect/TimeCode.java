package org.jvrpc.watch.collect;

/** Times in 16 bits: 1 + 1,024 times the binary logarithm, so that each is right to 0.07 %; 0: none. */
final class TimeCode {

    private static final double STEPS = 1024;
    private static final double LN2 = Math.log(2);
    private static final int MOST = 0xffff;

    private TimeCode() {
    }

    static int of(long ns) {
        return ns <= 0 ? 0 : (int) Math.min(MOST, 1 + Math.round(Math.log(ns) / LN2 * STEPS));
    }

    static long ns(int code) {
        return code == 0 ? 0 : Math.round(Math.pow(2, (code - 1) / STEPS));
    }
}
