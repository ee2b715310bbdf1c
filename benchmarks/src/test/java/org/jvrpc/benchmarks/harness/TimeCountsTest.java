package org.jvrpc.benchmarks.harness;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;

final class TimeCountsTest {

    @Test
    void shouldReadCountsOfTimes() {
        Histogram histogram = TimeCounts.parse("100:3 200:1 9000000000000:1");
        assertEquals(5, histogram.getTotalCount());
        assertEquals(100, histogram.getValueAtPercentile(50));
        assertEquals(LatencyLoop.MAX_NS, histogram.getMaxValue(), LatencyLoop.MAX_NS / 500.0);
    }

    @Test
    void shouldRefuseWhatIsNoCount() {
        assertThrows(IllegalArgumentException.class, () -> TimeCounts.parse("100"));
        assertThrows(IllegalArgumentException.class, () -> TimeCounts.parse(""));
    }
}
