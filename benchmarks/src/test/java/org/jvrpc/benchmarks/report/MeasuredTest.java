package org.jvrpc.benchmarks.report;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

final class MeasuredTest {

    private static Summary p50(long ns) {
        return new Summary(ns, ns, ns, ns, ns, 1);
    }

    @Test
    void shouldTakeRatiosRoundByRound() {
        Measured jvrpc = new Measured();
        jvrpc.add(p50(200), 100);
        jvrpc.add(p50(800), 400);
        jvrpc.add(p50(840), 400);
        assertTrue(jvrpc.hasLimit());
        assertEquals(new Quartiles(2.0, 2.0, 2.05), jvrpc.overLimit());
        assertEquals(800, jvrpc.median().p50());
        assertEquals(4.0, jvrpc.limitSpread());

        Measured peer = new Measured();
        peer.add(p50(600));
        peer.add(p50(2400));
        peer.add(p50(840));
        assertFalse(peer.hasLimit());
        assertEquals(new Quartiles(2.0, 3.0, 3.0), peer.over(jvrpc));
        assertEquals(new Quartiles(500, 800, 820), jvrpc.p50());
    }

    @Test
    void shouldTakeTheRatioOfTails() {
        Measured ours = new Measured();
        ours.add(new Summary(1, 2, 30, 4, 5, 6));
        Measured theirs = new Measured();
        theirs.add(new Summary(1, 2, 20, 4, 5, 6));
        assertEquals(new Quartiles(1.5, 1.5, 1.5), ours.p99Over(theirs));
    }

    @Test
    void shouldCompareTheRoundsThatBothHave() {
        Measured one = new Measured();
        one.add(p50(10));
        one.add(p50(1000));
        Measured other = new Measured();
        other.add(p50(5));
        assertEquals(new Quartiles(2.0, 2.0, 2.0), one.over(other));
        assertEquals(1.0, one.limitSpread());
    }
}
