package org.jvrpc.benchmarks.harness;

import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;

/**
 * What calls take in the first seconds of a process, slice by slice from its start. As text {@code ms:p50:count}, a
 * blank between two.
 *
 * @param slices in the order of time; none for a slice without a call
 */
public record Slices(List<Slice> slices) {

    /** The length of a slice. */
    public static final long SLICE_MS = 100;

    private static final int IN_A_ROW = 3;

    /**
     * A slice.
     *
     * @param fromMs when it begins, milliseconds since the process began
     * @param p50Ns of the calls that ended in it
     * @param count of these
     */
    public record Slice(long fromMs, long p50Ns, long count) {
    }

    /** Makes calls until the process is so old. */
    static Slices measure(Operation operation, long untilMs) throws Exception {
        // The clocks differ, but not by a millisecond in the seconds that a process needs until it is here.
        long age = System.currentTimeMillis() - ManagementFactory.getRuntimeMXBean().getStartTime();
        long begunNs = System.nanoTime() - TimeUnit.MILLISECONDS.toNanos(age);
        List<Slice> slices = new ArrayList<>();
        Histogram histogram = LatencyLoop.histogram();
        long after = System.nanoTime();
        while (after - begunNs < TimeUnit.MILLISECONDS.toNanos(untilMs)) {
            long slice = TimeUnit.NANOSECONDS.toMillis(after - begunNs) / SLICE_MS;
            long endNs = begunNs + TimeUnit.MILLISECONDS.toNanos((slice + 1) * SLICE_MS);
            histogram.reset();
            LatencyLoop.run(operation, endNs - after, Long.MAX_VALUE, histogram);
            slices.add(new Slice(slice * SLICE_MS, histogram.getValueAtPercentile(50), histogram.getTotalCount()));
            after = System.nanoTime();
        }
        return new Slices(slices);
    }

    /** Returns the text form. */
    String text() {
        StringBuilder text = new StringBuilder();
        for (Slice slice : slices) {
            text.append(text.isEmpty() ? "" : " ").append(slice.fromMs()).append(':').append(slice.p50Ns())
                    .append(':').append(slice.count());
        }
        return text.toString();
    }

    /** Reads the text form. @throws IllegalArgumentException when it is none */
    static Slices parse(String text) {
        List<Slice> slices = new ArrayList<>();
        for (String word : text.split(" ")) {
            String[] parts = word.split(":");
            if (parts.length != 3) {
                throw new IllegalArgumentException("not ms:p50:count: " + word);
            }
            slices.add(new Slice(Long.parseLong(parts[0]), Long.parseLong(parts[1]), Long.parseLong(parts[2])));
        }
        return new Slices(slices);
    }

    /** Returns the median p50 of the slices from one time to another; 0 when there are none. */
    public long p50(long fromMs, long toMs) {
        long[] within = slices.stream().filter(slice -> slice.fromMs() >= fromMs && slice.fromMs() < toMs)
                .mapToLong(Slice::p50Ns).sorted().toArray();
        return within.length == 0 ? 0 : within[within.length / 2];
    }

    /**
     * Returns when calls became as fast as they stay, milliseconds since the process began: where the first of three
     * slices in a row begins that are within a factor of a steady p50.
     *
     * @return -1 when there are none
     */
    public long steadyMs(long steadyNs, double factor) {
        int inARow = 0;
        long sinceMs = -1;
        for (Slice slice : slices) {
            boolean fast = slice.p50Ns() <= factor * steadyNs;
            inARow = fast ? inARow + 1 : 0;
            if (inARow == 1) {
                sinceMs = slice.fromMs();
            }
            if (inARow == IN_A_ROW) {
                return sinceMs;
            }
        }
        return -1;
    }
}
