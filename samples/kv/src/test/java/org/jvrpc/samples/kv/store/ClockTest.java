package org.jvrpc.samples.kv.store;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** The machine's time. */
class ClockTest {

    @Test
    void whoSetsTheWallClockChangesNoLifeOfAnItem() {
        AtomicLong wallMs = new AtomicLong(1_000_000_000_000L);
        AtomicLong nanos = new AtomicLong(-5);
        Clock clock = Clock.of(wallMs::get, nanos::get);
        assertEquals(1_000_000_000, clock.seconds());
        wallMs.addAndGet(3_600_000);
        assertEquals(1_000_000_000, clock.seconds());
        nanos.addAndGet(2_500_000_000L);
        assertEquals(1_000_000_002, clock.seconds());
        wallMs.addAndGet(-7_200_000);
        assertEquals(1_000_000_002, clock.seconds());
    }
}
