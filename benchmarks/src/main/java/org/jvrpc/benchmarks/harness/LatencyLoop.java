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

    /** Times batches of calls until {@code durationNs} have passed: what each batch took as a whole. */
    public static void batches(Operation operation, long durationNs, int calls, Histogram histogram) throws Exception {
        long end = System.nanoTime() + durationNs;
        long before = System.nanoTime();
        while (before < end) {
            for (int i = 0; i < calls; i++) {
                operation.before();
                operation.call();
                operation.after();
            }
            long after = System.nanoTime();
            histogram.recordValue(Math.min(after - before, MAX_NS));
            before = after;
        }
    }

    /**
     * Makes calls that are due at fixed times, and times each from when it was due. One that is due while another is
     * under way waits for it. Ends when all have been made, or after twice the time: what is then due counts as
     * answered at that moment.
     *
     * @param durationNs in which calls are due
     * @param rate calls a second
     */
    public static void paced(Operation operation, long durationNs, int rate, Histogram histogram) throws Exception {
        long calls = Math.max(1, Math.round(durationNs / 1e9 * rate));
        long start = System.nanoTime();
        for (long i = 0; i < calls; i++) {
            long due = start + Math.round(i * 1e9 / rate);
            while (System.nanoTime() < due) {
                Thread.onSpinWait();
            }
            if (System.nanoTime() - start < 2 * durationNs) {
                operation.before();
                operation.call();
                operation.after();
            }
            histogram.recordValue(Math.min(System.nanoTime() - due, MAX_NS));
        }
    }
}
