package org.jvrpc.benchmarks.report;

import java.util.List;
import java.util.function.ToLongFunction;
import org.HdrHistogram.Histogram;

/**
 * The statistics of one round of calls, or the medians over several rounds. Nanoseconds.
 *
 * @param count of calls; of all rounds together in a median
 */
public record Summary(long p50, long p90, long p99, long p999, long max, long count) {

    /** Returns the statistics of a round. */
    public static Summary of(Histogram round) {
        if (round.getTotalCount() == 0) {
            throw new IllegalArgumentException("a round without calls");
        }
        return new Summary(
                round.getValueAtPercentile(50),
                round.getValueAtPercentile(90),
                round.getValueAtPercentile(99),
                round.getValueAtPercentile(99.9),
                round.getMaxValue(),
                round.getTotalCount());
    }

    /** Returns the median over rounds of each statistic by itself. */
    public static Summary median(List<Summary> rounds) {
        if (rounds.isEmpty()) {
            throw new IllegalArgumentException("no rounds");
        }
        return new Summary(
                median(rounds, Summary::p50),
                median(rounds, Summary::p90),
                median(rounds, Summary::p99),
                median(rounds, Summary::p999),
                median(rounds, Summary::max),
                rounds.stream().mapToLong(Summary::count).sum());
    }

    private static long median(List<Summary> rounds, ToLongFunction<Summary> statistic) {
        return Math.round(median(rounds.stream().mapToDouble(s -> statistic.applyAsLong(s)).toArray()));
    }

    /** Returns the middle value, or the mean of the two in the middle. */
    public static double median(double... values) {
        return Quartiles.of(values).median();
    }
}
