package org.jvrpc.samples.quickstart;

import java.util.concurrent.TimeUnit;

/**
 * Tells when the table may begin: when what a call takes at the median has not fallen for two seconds, as compilers and
 * calls share the processors at first, or when three fifths of the run are over. One thread.
 */
final class WarmUp {

    private static final long WINDOW_NS = TimeUnit.SECONDS.toNanos(1);
    /** A p50 over the one before that is no fall. */
    private static final double FLAT = 0.8;
    private static final int WINDOWS = 2;

    private final long mostNs;
    private long lookedNs;
    private long lastNs = Long.MAX_VALUE;
    private int flat;

    WarmUp(long runNs) {
        this.mostNs = runNs / 5 * 3;
    }

    /** Returns when it ends at the latest, after the begin of the run. */
    long mostNs() {
        return mostNs;
    }

    /**
     * Takes in what calls took lately.
     *
     * @param passedNs since the begin of the run
     */
    boolean isOver(long passedNs, long p50Ns) {
        if (passedNs - lookedNs >= WINDOW_NS) {
            lookedNs = passedNs;
            flat = p50Ns > 0 && p50Ns >= FLAT * lastNs ? flat + 1 : 0;
            lastNs = p50Ns;
        }
        return flat >= WINDOWS || passedNs >= mostNs;
    }
}
