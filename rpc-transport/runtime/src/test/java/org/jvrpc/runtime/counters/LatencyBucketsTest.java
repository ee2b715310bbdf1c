package org.jvrpc.runtime.counters;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Random;
import org.junit.jupiter.api.Test;

/** The buckets of latencies, and what is read from them. */
class LatencyBucketsTest {

    @Test
    void eachLatencyLiesInItsBucketWhichIsNarrow() {
        long seed = new Random().nextLong();
        System.out.println("seed=" + seed);
        Random random = new Random(seed);
        for (int i = 0; i < 100_000; i++) {
            long ns = random.nextLong() >>> 27 + random.nextInt(37);
            int index = LatencyBuckets.indexOf(ns);
            assertTrue(LatencyBuckets.lowest(index) <= ns && ns <= LatencyBuckets.highest(index), "ns=" + ns);
            long width = LatencyBuckets.highest(index) - LatencyBuckets.lowest(index) + 1;
            assertTrue(width == 1 || width * 16 <= LatencyBuckets.lowest(index), "ns=" + ns + " width=" + width);
        }
    }

    @Test
    void bucketsFollowEachOtherWithoutAGap() {
        assertEquals(0, LatencyBuckets.lowest(0));
        for (int i = 1; i < LatencyBuckets.COUNT; i++) {
            assertEquals(LatencyBuckets.highest(i - 1) + 1, LatencyBuckets.lowest(i));
            assertEquals(i, LatencyBuckets.indexOf(LatencyBuckets.lowest(i)));
        }
        assertEquals(LatencyBuckets.COUNT - 1, LatencyBuckets.indexOf(Long.MAX_VALUE));
        assertEquals(0, LatencyBuckets.indexOf(-1));
        assertEquals("index must be 0 to 543, index=544", assertThrows(IllegalArgumentException.class,
                () -> LatencyBuckets.lowest(LatencyBuckets.COUNT)).getMessage());
    }

    @Test
    void percentilesAreThoseOfTheBuckets() {
        long[] counts = new long[LatencyBuckets.COUNT];
        for (int ns = 1; ns <= 1000; ns++) {
            counts[LatencyBuckets.indexOf(ns * 1000L)]++;
        }
        LatencyHistogram histogram = new LatencyHistogram(counts, 500_500_000);
        assertEquals(1000, histogram.count());
        assertEquals(500_000, histogram.percentileNs(50), 500_000 * 0.07);
        assertEquals(990_000, histogram.percentileNs(99), 990_000 * 0.07);
        assertEquals(0, LatencyHistogram.EMPTY.percentileNs(50));
        assertEquals(0, histogram.since(histogram).count());
        assertEquals(2000, histogram.plus(histogram).count());
        assertThrows(IllegalArgumentException.class, () -> histogram.percentileNs(101));
    }

    @Test
    void powersOfTwoHaveWhatIsShorterThanTheyAre() {
        long[] counts = new long[LatencyBuckets.COUNT];
        for (long ns : new long[] {0, 63, 64, 127, 128, 1000, Long.MAX_VALUE}) {
            counts[LatencyBuckets.indexOf(ns)]++;
        }
        assertArrayEquals(new long[] {2, 2, 1, 2}, new LatencyHistogram(counts, 0).byPowerOfTwo(6, 8));
    }
}
