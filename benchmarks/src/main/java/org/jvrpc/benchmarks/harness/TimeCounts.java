package org.jvrpc.benchmarks.harness;

import org.HdrHistogram.Histogram;

/** Times as a program that is no JVM writes them: {@code ns:count}, a blank between two. */
final class TimeCounts {

    private TimeCounts() {
    }

    /** Reads them. @throws IllegalArgumentException when they are none */
    static Histogram parse(String text) {
        Histogram histogram = LatencyLoop.histogram();
        for (String word : text.split(" ")) {
            int colon = word.indexOf(':');
            if (colon < 0) {
                throw new IllegalArgumentException("not ns:count: " + word);
            }
            histogram.recordValueWithCount(Math.min(Long.parseLong(word.substring(0, colon)), LatencyLoop.MAX_NS),
                    Long.parseLong(word.substring(colon + 1)));
        }
        return histogram;
    }
}
