package org.jvrpc.benchmarks.report;

import java.util.Arrays;

/**
 * What the rounds of a run scatter by: a quarter of them is below the first quartile, a quarter above the third.
 * Between two values they are interpolated.
 */
public record Quartiles(double first, double median, double third) {

    /** Returns the quartiles of values in any order. */
    public static Quartiles of(double... values) {
        if (values.length == 0) {
            throw new IllegalArgumentException("no values");
        }
        double[] sorted = values.clone();
        Arrays.sort(sorted);
        return new Quartiles(at(sorted, 0.25), at(sorted, 0.5), at(sorted, 0.75));
    }

    private static double at(double[] sorted, double part) {
        double place = part * (sorted.length - 1);
        int below = (int) place;
        int above = Math.min(below + 1, sorted.length - 1);
        return sorted[below] + (place - below) * (sorted[above] - sorted[below]);
    }
}
