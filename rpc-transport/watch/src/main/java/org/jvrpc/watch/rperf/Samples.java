package org.jvrpc.watch.rperf;

import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramIterationValue;

/**
 * Times, those of zero and less counted beside the histogram. They are noise of two clock readings around a short wait,
 * and to leave them out, as RPerf does, lets the mean seem longer than it is: so both means are there.
 */
final class Samples {

    private static final long MOST_NS = 10_000_000_000L;
    private static final int DIGITS = 3;

    private final Histogram histogram = new Histogram(1, MOST_NS, DIGITS);
    private long zeroOrLess;
    private double sumNs;
    private double belowNs;

    void add(long ns) {
        if (ns <= 0) {
            zeroOrLess++;
            belowNs += ns;
        } else {
            sumNs += ns;
            histogram.recordValue(Math.min(ns, MOST_NS));
        }
    }

    void add(Samples other) {
        histogram.add(other.histogram);
        zeroOrLess += other.zeroOrLess;
        sumNs += other.sumNs;
        belowNs += other.belowNs;
    }

    long zeroOrLess() {
        return zeroOrLess;
    }

    /** Returns the mean of all, zero and less too; 0 for none. */
    double meanOfAllNs() {
        long all = histogram.getTotalCount() + zeroOrLess;
        return all == 0 ? 0 : (sumNs + belowNs) / all;
    }

    Figures figures() {
        long count = histogram.getTotalCount();
        return count == 0 ? Figures.NONE : new Figures(count, sumNs / count, histogram.getMinValue(), at(50), at(99),
                at(99.9), at(99.99), Math.min(histogram.getMaxValue(), MOST_NS));
    }

    private long at(double percent) {
        return histogram.getValueAtPercentile(percent);
    }

    /** Returns the sample in the middle of all, zero and less too: 0 where it is one of those, or there is none. */
    long medianOfAllNs() {
        long all = histogram.getTotalCount() + zeroOrLess;
        long middle = (all + 1) / 2 - zeroOrLess;
        return middle <= 0 ? 0 : at(100.0 * middle / histogram.getTotalCount());
    }

    Distribution distribution() {
        int size = 0;
        for (HistogramIterationValue ignored : histogram.recordedValues()) {
            size++;
        }
        long[] values = new long[size];
        long[] counts = new long[size];
        int i = 0;
        for (HistogramIterationValue value : histogram.recordedValues()) {
            values[i] = histogram.medianEquivalentValue(value.getValueIteratedTo());
            counts[i++] = value.getCountAddedInThisIterationStep();
        }
        return new Distribution(values, counts);
    }
}
