package org.jvrpc.benchmarks.harness;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import org.junit.jupiter.api.Test;

final class SteadinessTest {

    private static final Duration SECOND = Duration.ofSeconds(1);
    /** What the compilers worked before the first window. */
    private static final long BEFORE = 5000;

    private long compiledMs = BEFORE;

    private boolean isSteadyAfter(Steadiness steadiness, double value, long compiling) {
        compiledMs += compiling;
        steadiness.add(value, 100, compiledMs, SECOND);
        return steadiness.isSteady();
    }

    @Test
    void shouldWaitForFourWindowsThatAreAlike() {
        Steadiness steadiness = new Steadiness(0, BEFORE);
        assertFalse(isSteadyAfter(steadiness, 3000, 0));
        assertFalse(isSteadyAfter(steadiness, 300, 0));
        assertFalse(isSteadyAfter(steadiness, 330, 0));
        assertFalse(isSteadyAfter(steadiness, 310, 0));
        assertTrue(isSteadyAfter(steadiness, 305, 0), "300, 330, 310, 305");
        assertFalse(isSteadyAfter(steadiness, 299, 0), "330, 310, 305, 299");
    }

    @Test
    void shouldWaitForTheCompilers() {
        Steadiness steadiness = new Steadiness(0, BEFORE);
        for (int i = 0; i < 10; i++) {
            assertFalse(isSteadyAfter(steadiness, 300, 60), "a sixteenth of the time");
        }
        assertFalse(isSteadyAfter(steadiness, 300, 59));
        assertFalse(isSteadyAfter(steadiness, 300, 41));
        assertFalse(isSteadyAfter(steadiness, 300, 41), "60, 59, 41, 41 of 4000 ms");
        assertTrue(isSteadyAfter(steadiness, 300, 41), "59, 41, 41, 41 of 4000 ms");
    }

    @Test
    void shouldWaitForTheLeastNumberOfCalls() {
        Steadiness steadiness = new Steadiness(600, BEFORE);
        for (int i = 1; i < 6; i++) {
            assertFalse(isSteadyAfter(steadiness, 300, 0), i + "00 calls");
        }
        assertTrue(isSteadyAfter(steadiness, 300, 0), "600 calls");
        assertEquals(600, steadiness.calls());
    }
}
