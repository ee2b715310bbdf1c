package org.jvrpc.runtime.thread;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class LogLimitTest {

    @Test
    void oneLineAPeriodPassesAndTellsOfThoseKeptBack() {
        LogLimit limit = new LogLimit(100);
        assertEquals(0, limit.pass(Long.MAX_VALUE - 20)); // the clock may wrap
        for (int i = 0; i < 5; i++) {
            assertEquals(LogLimit.KEEP_BACK, limit.pass(Long.MAX_VALUE - 20 + 99));
        }
        assertEquals(5, limit.pass(Long.MAX_VALUE - 20 + 100));
        assertEquals(LogLimit.KEEP_BACK, limit.pass(Long.MAX_VALUE - 20 + 101));
        assertEquals(1, limit.pass(Long.MAX_VALUE - 20 + 1000));
        assertEquals(0, limit.pass(Long.MAX_VALUE - 20 + 2000));
    }
}
