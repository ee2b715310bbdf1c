package org.jvrpc.benchmarks.harness;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;

final class LatencyLoopTest {

    private static final class Counting extends Operation {

        private int before;
        private int calls;
        private int after;

        @Override
        public void before() {
            before++;
        }

        @Override
        public void call() {
            calls++;
        }

        @Override
        public void after() {
            after++;
        }
    }

    @Test
    void shouldRecordEachCallUpToTheLimit() throws Exception {
        Counting operation = new Counting();
        Histogram histogram = LatencyLoop.histogram();
        LatencyLoop.run(operation, Duration.ofHours(1).toNanos(), 7, histogram);
        assertEquals(7, histogram.getTotalCount());
        assertEquals(7, operation.calls);
        assertEquals(7, operation.before);
        assertEquals(7, operation.after);
    }

    @Test
    void shouldMakeOneCallAtLeast() throws Exception {
        Histogram histogram = LatencyLoop.histogram();
        LatencyLoop.run(new Counting(), 0, Long.MAX_VALUE, histogram);
        assertEquals(1, histogram.getTotalCount());
    }

    @Test
    void shouldPassAFailureOn() {
        Operation failing = new Operation() {
            @Override
            public void call() {
                throw new IllegalStateException("no answer");
            }
        };
        assertThrows(IllegalStateException.class,
                () -> LatencyLoop.run(failing, 1, 1, LatencyLoop.histogram()));
    }

    @Test
    void shouldTimeWholeBatches() throws Exception {
        Counting operation = new Counting();
        Histogram histogram = LatencyLoop.histogram();
        LatencyLoop.batches(operation, Duration.ofMillis(1).toNanos(), 8, histogram);
        assertEquals(8 * histogram.getTotalCount(), operation.calls);
        assertEquals(operation.calls, operation.before);
        assertEquals(operation.calls, operation.after);
    }

    @Test
    void shouldMakeEveryCallThatIsDue() throws Exception {
        Counting operation = new Counting();
        Histogram histogram = LatencyLoop.histogram();
        LatencyLoop.paced(operation, Duration.ofMillis(10).toNanos(), 1000, histogram);
        assertEquals(10, histogram.getTotalCount());
    }

    @Test
    void shouldCountTheWaitBehindASlowCall() throws Exception {
        long slowNs = Duration.ofMillis(20).toNanos();
        Operation first = new Operation() {
            private boolean made;

            @Override
            public void call() {
                long begun = System.nanoTime();
                while (!made && System.nanoTime() - begun < slowNs) {
                    Thread.onSpinWait();
                }
                made = true;
            }
        };
        Histogram histogram = LatencyLoop.histogram();
        LatencyLoop.paced(first, Duration.ofMillis(100).toNanos(), 1000, histogram);
        assertEquals(100, histogram.getTotalCount());
        // Those of the first ten milliseconds waited for ten at least; the histogram keeps three digits.
        assertTrue(histogram.getCountBetweenValues(9_900_000, LatencyLoop.MAX_NS) >= 10, histogram::toString);
    }

    @Test
    void shouldNotWaitForeverForCallsThatAreDue() throws Exception {
        AtomicInteger made = new AtomicInteger();
        Operation slow = new Operation() {
            @Override
            public void call() {
                made.incrementAndGet();
                long begun = System.nanoTime();
                while (System.nanoTime() - begun < 1_000_000) {
                    Thread.onSpinWait();
                }
            }
        };
        Histogram histogram = LatencyLoop.histogram();
        LatencyLoop.paced(slow, Duration.ofMillis(20).toNanos(), 1_000_000, histogram);
        assertEquals(20_000, histogram.getTotalCount(), "what is due is counted, made or not");
        assertTrue(made.get() < 20_000, "all of 20 s of calls were made in twice 20 ms");
    }
}
