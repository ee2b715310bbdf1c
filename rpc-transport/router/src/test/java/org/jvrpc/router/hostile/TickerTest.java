package org.jvrpc.router.hostile;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

/** What counts as a time in which nothing ran. */
final class TickerTest {

    private static final long MS = 1_000_000;

    @Test
    void aTickThatComesLateCountsOnceAlsoWhileItIsOutstanding() {
        Ticker ticker = new Ticker();
        long startNs = System.nanoTime() + 1_000 * MS;
        ticker.tick(startNs);
        long before = ticker.sumNs(startNs);
        ticker.tick(startNs + 2 * MS);
        ticker.tick(startNs + 11 * MS);
        assertEquals(before, ticker.sumNs(startNs + 20 * MS), "ticks in time");
        assertEquals(before + 150 * MS, ticker.sumNs(startNs + 161 * MS), "it stands still");
        ticker.tick(startNs + 171 * MS);
        assertEquals(before + 160 * MS, ticker.sumNs(startNs + 172 * MS), "it goes on");
    }
}
