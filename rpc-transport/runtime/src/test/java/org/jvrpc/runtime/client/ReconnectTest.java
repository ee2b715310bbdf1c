package org.jvrpc.runtime.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class ReconnectTest {

    private static final Exception CAUSE = new Exception("nobody there");

    @Test
    void theFirstTryComesAtOnceAndPausesDoubleUpToHalfASecond() {
        Reconnect reconnect = new Reconnect(true);
        long nowNs = Long.MAX_VALUE - 100; // the clock may wrap
        assertEquals(0, reconnect.waitNs(nowNs));
        long expectedNs = 1_000_000;
        for (int i = 0; i < 20; i++) {
            reconnect.failed(CAUSE, nowNs);
            assertEquals(expectedNs, reconnect.waitNs(nowNs));
            assertEquals(expectedNs - 10, reconnect.waitNs(nowNs + 10));
            nowNs += expectedNs;
            assertEquals(0, reconnect.waitNs(nowNs));
            expectedNs = Math.min(2 * expectedNs, 500_000_000);
        }
        assertTrue(reconnect.explain().contains("nobody there"));
    }

    @Test
    void successBeginsAnew() {
        Reconnect reconnect = new Reconnect(true);
        for (int i = 0; i < 5; i++) {
            reconnect.failed(CAUSE, 0);
        }
        reconnect.succeeded();
        assertEquals("", reconnect.explain());
        assertEquals(0, reconnect.waitNs(0));
        reconnect.failed(CAUSE, 0);
        assertEquals(1_000_000, reconnect.waitNs(0));
    }

    @Test
    void whoDoesNotReconnectNeverDoes() {
        Reconnect reconnect = new Reconnect(false);
        assertTrue(reconnect.waitNs(0) > 1_000_000_000_000L);
        assertTrue(reconnect.explain().contains("does not connect again"));
    }
}
