package org.jvrpc.watch.rperf;

import java.util.Arrays;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramIterationValue;

/** Times of one order of posting, with those of zero and less: noise of two clock readings around a short wait. */
final class Samples {

    private static final long MOST_NS = 10_000_000_000L;
    private static final int DIGITS = 3;

    private final Histogram above = new Histogram(1, MOST_NS, DIGITS);
    private final Histogram below = new Histogram(1, MOST_NS, DIGITS);
    private long zeros;

    void add(long ns) {
        if (ns > 0) {
            above.recordValue(Math.min(ns, MOST_NS));
        } else if (ns < 0) {
            below.recordValue(Math.min(-ns, MOST_NS));
        } else {
            zeros++;
        }
    }

    long count() {
        return above.getTotalCount() + below.getTotalCount() + zeros;
    }

    /** Returns the sample in the middle of all; 0 for none. */
    long medianNs() {
        long middle = (count() + 1) / 2;
        long negative = below.getTotalCount();
        if (middle <= negative) { // of those below, the larger come first
            return -below.getValueAtPercentile(100.0 * (negative - middle + 1) / negative);
        }
        middle -= negative + zeros;
        return middle <= 0 ? 0 : above.getValueAtPercentile(100.0 * middle / above.getTotalCount());
    }

    /** Adds all, moved by so much, to what is sorted later. */
    void addTo(Sorted sorted, long moveNs) {
        for (HistogramIterationValue value : below.recordedValues()) {
            sorted.add(moveNs - below.medianEquivalentValue(value.getValueIteratedTo()),
                    value.getCountAddedInThisIterationStep());
        }
        if (zeros > 0) {
            sorted.add(moveNs, zeros);
        }
        for (HistogramIterationValue value : above.recordedValues()) {
            sorted.add(above.medianEquivalentValue(value.getValueIteratedTo()) + moveNs,
                    value.getCountAddedInThisIterationStep());
        }
    }

    Sorted sorted() {
        Sorted sorted = new Sorted();
        addTo(sorted, 0);
        return sorted;
    }

    /** Samples by value. Those of zero and less are counted, and are in one mean. */
    static final class Sorted {

        /** Value and count. */
        private long[][] all = new long[64][];
        private int size;
        private long zeroOrLess;
        private double belowSum;

        private void add(long ns, long count) {
            if (ns <= 0) {
                zeroOrLess += count;
                belowSum += (double) ns * count;
                return;
            }
            if (size == all.length) {
                all = Arrays.copyOf(all, 2 * size);
            }
            all[size++] = new long[] {ns, count};
        }

        long zeroOrLess() {
            return zeroOrLess;
        }

        Distribution distribution() {
            Arrays.sort(all, 0, size, (a, b) -> Long.compare(a[0], b[0]));
            long[] values = new long[size];
            long[] counts = new long[size];
            int used = 0;
            for (int i = 0; i < size; i++) {
                if (used > 0 && values[used - 1] == all[i][0]) {
                    counts[used - 1] += all[i][1];
                } else {
                    values[used] = all[i][0];
                    counts[used++] = all[i][1];
                }
            }
            return new Distribution(Arrays.copyOf(values, used), Arrays.copyOf(counts, used));
        }

        /** Returns the mean of all, zero and less too; 0 for none. */
        double meanOfAllNs(Distribution of) {
            long count = of.total();
            return count + zeroOrLess == 0 ? 0 : (of.sumNs() + belowSum) / (count + zeroOrLess);
        }
    }
}
