package org.jvrpc.runtime.counters;

/**
 * The buckets of a histogram of latencies in nanoseconds: linear within each power of two, as HdrHistogram's are. A
 * bucket is a sixteenth of its power of two wide, so that its middle is within 3.2 % of whatever lies in it.
 *
 * <pre>
 * index 0 … 31: 0 ns … 31 ns, one each; then 16 for each power of two up to 2^37 ns (137 s),
 * of which the last has what is longer, too
 * </pre>
 */
public final class LatencyBuckets {

    private static final int BITS = 4;
    private static final int LINEAR = 1 << BITS;
    private static final int MOST_BITS = 37;
    /** How many there are. */
    public static final int COUNT = (MOST_BITS - BITS + 1) * LINEAR;

    private LatencyBuckets() {
    }

    /** Returns the bucket of a latency, 0 to {@link #COUNT} − 1; of one that is negative the first. */
    public static int indexOf(long ns) {
        if (ns < LINEAR) {
            return (int) Math.max(ns, 0);
        }
        int power = Long.SIZE - 1 - Long.numberOfLeadingZeros(ns);
        int shift = power - BITS;
        return power >= MOST_BITS ? COUNT - 1 : (shift << BITS) + (int) (ns >>> shift);
    }

    /** Returns the least latency of a bucket. @throws IllegalArgumentException for no bucket */
    public static long lowest(int index) {
        if (index < 0 || index >= COUNT) {
            throw new IllegalArgumentException("index must be 0 to " + (COUNT - 1) + ", index=" + index);
        }
        int shift = Math.max((index >>> BITS) - 1, 0);
        return (long) (index - (shift << BITS)) << shift;
    }

    /** Returns the greatest latency of a bucket. @throws IllegalArgumentException for no bucket */
    public static long highest(int index) {
        return index == COUNT - 1 ? (1L << MOST_BITS) - 1 : lowest(index + 1) - 1;
    }
}
