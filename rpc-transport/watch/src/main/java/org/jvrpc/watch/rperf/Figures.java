package org.jvrpc.watch.rperf;

/**
 * What a distribution of times is said to be, in nanoseconds; percentiles to within 0.1 %. Without samples all is 0.
 *
 * @param count of samples, at least 10<sup>5</sup> for a p99.99 that means something
 */
public record Figures(long count, double meanNs, long leastNs, long p50Ns, long p99Ns, long p999Ns, long p9999Ns,
        long mostNs) {

    /** Samples that p99.99 needs: ten above it. */
    public static final long ENOUGH = 100_000;

    static final Figures NONE = new Figures(0, 0, 0, 0, 0, 0, 0, 0);

    /** Returns whether there are enough samples for p99.99. */
    public boolean isEnough() {
        return count >= ENOUGH;
    }
}
