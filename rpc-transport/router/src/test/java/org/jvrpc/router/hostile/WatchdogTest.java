package org.jvrpc.router.hostile;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

/** Which long calls are the router's fault. */
final class WatchdogTest {

    private static final long MS = 1_000_000;

    private static String judged(long tookMs, long delayMs, long lateMs) {
        Watchdog watchdog = new Watchdog(null, 100 * MS, () -> true);
        watchdog.took(tookMs * MS, delayMs * MS, lateMs * MS);
        return watchdog.stalls + " " + watchdog.starved + " " + watchdog.stoodStill;
    }

    @Test
    void aLongCallIsTheRoutersFaultUnlessTheMachineExplainsIt() {
        assertEquals("0 0 0", judged(100, 0, 0));
        assertEquals("1 0 0", judged(101, 0, 0));
        assertEquals("1 0 0", judged(250, 149, 149));
        assertEquals("0 1 0", judged(250, 150, 0));
        assertEquals("0 0 1", judged(250, 149, 150));
    }
}
