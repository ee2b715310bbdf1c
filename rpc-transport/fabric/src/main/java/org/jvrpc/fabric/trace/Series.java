package org.jvrpc.fabric.trace;

import java.util.Arrays;
import java.util.Comparator;
import java.util.List;

/** One quantity at each sample of a recording. */
public record Series(String name, double[] values) {

    /** Returns the most that it ever was. */
    public double most() {
        return Arrays.stream(values).max().orElse(0);
    }

    /** Returns those with the highest peaks, the highest first, without those that are always 0. */
    public static List<Series> highest(List<Series> all, int count) {
        return all.stream().filter(series -> series.most() > 0)
                .sorted(Comparator.comparingDouble(Series::most).reversed()).limit(count).toList();
    }
}
