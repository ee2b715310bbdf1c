package org.jvrpc.benchmarks.harness;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.time.Duration;
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
}
