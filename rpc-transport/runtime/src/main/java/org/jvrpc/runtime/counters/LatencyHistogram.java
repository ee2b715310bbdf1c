package org.jvrpc.runtime.counters;

import java.util.Arrays;

/** How often latencies lay in which bucket of {@link LatencyBuckets}. Immutable. */
public final class LatencyHistogram {

    public static final LatencyHistogram EMPTY = new LatencyHistogram(new long[LatencyBuckets.COUNT], 0);

    private final long[] counts;
    private final long totalNs;
    private final long count;

    /** @param counts by bucket; copied */
    public LatencyHistogram(long[] counts, long totalNs) {
        this.counts = Arrays.copyOf(counts, LatencyBuckets.COUNT);
        this.totalNs = totalNs;
        this.count = Arrays.stream(this.counts).sum();
    }

    /** Returns how many latencies there are. */
    public long count() {
        return count;
    }

    /** Returns how many lie in a bucket, 0 to {@link LatencyBuckets#COUNT} − 1. */
    public long count(int bucket) {
        return counts[bucket];
    }

    /**
     * Returns how many are shorter than each power of two in nanoseconds, from one to another, and not shorter than the
     * one before; behind them how many are as long as the last.
     *
     * @param first the first power, 1 or more
     */
    public long[] byPowerOfTwo(int first, int last) {
        long[] powers = new long[last - first + 2];
        int power = first;
        for (int bucket = 0; bucket < LatencyBuckets.COUNT; bucket++) {
            while (power <= last && LatencyBuckets.highest(bucket) >= 1L << power) {
                power++;
            }
            powers[power - first] += counts[bucket];
        }
        return powers;
    }

    /** Returns their sum in nanoseconds. */
    public long totalNs() {
        return totalNs;
    }

    /** Returns the middle of the bucket that a part of all lies in or below, in nanoseconds; 0 without any. */
    public long percentileNs(double percent) {
        if (percent < 0 || percent > 100) {
            throw new IllegalArgumentException("percent must be 0 to 100, percent=" + percent);
        }
        long wanted = Math.max((long) Math.ceil(count * percent / 100), 1);
        long below = 0;
        for (int i = 0; i < counts.length; i++) {
            below += counts[i];
            if (below >= wanted) {
                return (LatencyBuckets.lowest(i) + LatencyBuckets.highest(i)) >>> 1;
            }
        }
        return 0;
    }

    /** Returns these and others. */
    public LatencyHistogram plus(LatencyHistogram other) {
        return combined(other, 1);
    }

    /** Returns those that came since an earlier reading of the same counters; none where it is no such. */
    public LatencyHistogram since(LatencyHistogram earlier) {
        return combined(earlier, -1);
    }

    private LatencyHistogram combined(LatencyHistogram other, int sign) {
        long[] all = new long[counts.length];
        for (int i = 0; i < all.length; i++) {
            all[i] = Math.max(counts[i] + sign * other.counts[i], 0);
        }
        return new LatencyHistogram(all, Math.max(totalNs + sign * other.totalNs, 0));
    }
}
