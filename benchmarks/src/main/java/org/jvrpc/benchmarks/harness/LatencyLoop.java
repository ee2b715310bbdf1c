package org.jvrpc.benchmarks.harness;

import org.HdrHistogram.Histogram;

/** Times calls one by one. The same code times the bare limit and everything that is compared with it. */
public final class LatencyLoop {

    /** The longest call that is told from longer ones, in nanoseconds. */
    public static final long MAX_NS = 60_000_000_000L;

    private LatencyLoop() {
    }

    /** Returns an empty histogram of nanoseconds. */
    public static Histogram histogram() {
        return new Histogram(1, MAX_NS, 3);
    }

    /** Repeats calls without timing them. */
    public static void settle(Operation operation, long durationNs) throws Exception {
        long end = System.nanoTime() + durationNs;
        while (System.nanoTime() < end) {
            operation.before();
            operation.call();
            operation.after();
        }
    }

    /** Times calls until {@code durationNs} have passed or {@code maxSamples} are taken. */
    public static void run(Operation operation, long durationNs, long maxSamples, Histogram histogram)
            throws Exception {
        long remaining = maxSamples;
        long end = System.nanoTime() + durationNs;
        long after;
        do {
            operation.before();
            long before = System.nanoTime();
            operation.call();
            after = System.nanoTime();
            operation.after();
            histogram.recordValue(Math.min(after - before, MAX_NS));
        } while (--remaining > 0 && after < end);
    }
}
