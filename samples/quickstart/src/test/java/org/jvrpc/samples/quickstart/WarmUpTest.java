package org.jvrpc.samples.quickstart;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class WarmUpTest {

    private static final long SECOND_NS = TimeUnit.SECONDS.toNanos(1);

    @Test
    void endsWhenTheMedianHasNotFallenForTwoSeconds() {
        WarmUp warmUp = new WarmUp(100 * SECOND_NS);
        assertFalse(warmUp.isOver(SECOND_NS, 60_000));
        assertFalse(warmUp.isOver(2 * SECOND_NS, 59_000));
        assertFalse(warmUp.isOver(3 * SECOND_NS, 600));
        assertFalse(warmUp.isOver(4 * SECOND_NS, 480));
        assertTrue(warmUp.isOver(5 * SECOND_NS, 384));
    }

    @Test
    void goesOnWhileTheMedianFalls() {
        WarmUp warmUp = new WarmUp(100 * SECOND_NS);
        for (int second = 1; second < 60; second++) {
            assertFalse(warmUp.isOver(second * SECOND_NS, 1L << 60 - second), "second=" + second);
        }
    }

    @Test
    void endsBehindThreeFifthsOfTheRun() {
        WarmUp warmUp = new WarmUp(5 * SECOND_NS);
        assertEquals(3 * SECOND_NS, warmUp.mostNs());
        assertFalse(warmUp.isOver(3 * SECOND_NS - 1, 60_000));
        assertTrue(warmUp.isOver(3 * SECOND_NS, 600));
    }

    @Test
    void looksInBetweenCountForNothing() {
        WarmUp warmUp = new WarmUp(100 * SECOND_NS);
        for (int look = 1; look < 12; look++) {
            assertFalse(warmUp.isOver(look * SECOND_NS / 4, 600), "look=" + look);
        }
        assertTrue(warmUp.isOver(3 * SECOND_NS, 600));
    }

    @Test
    void secondsWithoutACallAreNotSteady() {
        WarmUp warmUp = new WarmUp(100 * SECOND_NS);
        for (int second = 1; second < 10; second++) {
            assertFalse(warmUp.isOver(second * SECOND_NS, 0), "second=" + second);
        }
    }
}
