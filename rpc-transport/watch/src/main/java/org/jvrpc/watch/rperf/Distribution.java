package org.jvrpc.watch.rperf;

import java.util.Arrays;

/**
 * Samples by value: {@code counts[i]} of {@code valuesNs[i]}, to within 0.1 %. Values are above 0 and grow. The arrays
 * are not to be changed any more.
 */
public record Distribution(long[] valuesNs, long[] counts) {

    /** Checks the values. */
    public Distribution {
        if (valuesNs.length != counts.length) {
            throw new IllegalArgumentException("values=" + valuesNs.length + " counts=" + counts.length);
        }
        for (int i = 0; i < counts.length; i++) {
            if (counts[i] < 1 || valuesNs[i] < 1 || i > 0 && valuesNs[i] <= valuesNs[i - 1]) {
                throw new IllegalArgumentException("values grow and have counts, at=" + i + " value=" + valuesNs[i]
                        + " count=" + counts[i]);
            }
        }
    }

    /** Returns how many samples there are. */
    public long total() {
        return Arrays.stream(counts).sum();
    }

    double sumNs() {
        double sum = 0;
        for (int i = 0; i < counts.length; i++) {
            sum += (double) valuesNs[i] * counts[i];
        }
        return sum;
    }

    /** Returns the least value that so many percent of samples are not above; 0 for no samples. */
    public long percentileNs(double percent) {
        long total = total();
        long rank = Math.max(1, (long) Math.ceil(total * percent / 100));
        long seen = 0;
        for (int i = 0; i < counts.length; i++) {
            seen += counts[i];
            if (seen >= rank) {
                return valuesNs[i];
            }
        }
        return 0;
    }

    /** Returns what it is said to be. */
    public Figures figures() {
        long total = total();
        return total == 0 ? Figures.NONE : new Figures(total, sumNs() / total, valuesNs[0], percentileNs(50),
                percentileNs(99), percentileNs(99.9), percentileNs(99.99), valuesNs[valuesNs.length - 1]);
    }
}
