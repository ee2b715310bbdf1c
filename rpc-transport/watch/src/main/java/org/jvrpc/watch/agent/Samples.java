package org.jvrpc.watch.agent;

import java.util.Arrays;

/** Times of which percentiles are wanted; exact. One thread. */
final class Samples {

    private long[] values = new long[4];
    private int count;
    private boolean sorted;

    void add(long value) {
        if (count == values.length) {
            values = Arrays.copyOf(values, 2 * count);
        }
        values[count++] = value;
        sorted = false;
    }

    int count() {
        return count;
    }

    long get(int index) {
        return values[index];
    }

    /** Returns the least value that so many of a thousand are not above; 0 when there is none. */
    long perMille(int of) {
        if (count == 0) {
            return 0;
        }
        if (!sorted) {
            Arrays.sort(values, 0, count);
            sorted = true;
        }
        return values[Math.max(0, (int) (((long) count * of + 999) / 1000) - 1)];
    }

    void clear() {
        count = 0;
    }
}
