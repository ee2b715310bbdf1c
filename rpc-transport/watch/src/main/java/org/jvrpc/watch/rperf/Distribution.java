package org.jvrpc.watch.rperf;

import java.util.Arrays;

/**
 * Samples by value: {@code counts[i]} of about {@code valuesNs[i]}. Values grow. Arrays are the caller's from then on.
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

    public long total() {
        return Arrays.stream(counts).sum();
    }
}
