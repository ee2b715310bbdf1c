package org.jvrpc.runtime.thread;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class RetryTest {

    private static final Exception CAUSE = new Exception("nobody there");

    @Test
    void theFirstTryComesAtOnceAndPausesDoubleUpToHalfASecond() {
        Retry retry = new Retry(true);
        long nowNs = Long.MAX_VALUE - 100; // the clock may wrap
        assertEquals(0, retry.waitNs(nowNs));
        long expectedNs = 1_000_000;
        for (int i = 0; i < 20; i++) {
            retry.failed(CAUSE, nowNs);
            assertEquals(expectedNs, retry.waitNs(nowNs));
            assertEquals(expectedNs - 10, retry.waitNs(nowNs + 10));
            nowNs += expectedNs;
            assertEquals(0, retry.waitNs(nowNs));
            expectedNs = Math.min(2 * expectedNs, 500_000_000);
        }
        assertEquals("nobody there", retry.reason());
    }

    @Test
    void successBeginsAnew() {
        Retry retry = new Retry(true);
        for (int i = 0; i < 5; i++) {
            retry.failed(CAUSE, 0);
        }
        retry.succeeded();
        assertEquals("", retry.reason());
        assertEquals(0, retry.waitNs(0));
        retry.failed(CAUSE, 0);
        assertEquals(1_000_000, retry.waitNs(0));
    }

    @Test
    void whatIsNotEnabledIsNeverTried() {
        Retry retry = new Retry(false);
        assertTrue(retry.waitNs(0) > 1_000_000_000_000L);
    }
}
