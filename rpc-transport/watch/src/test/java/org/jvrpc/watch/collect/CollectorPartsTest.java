package org.jvrpc.watch.collect;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.jvrpc.watch.Alert;
import org.jvrpc.watch.web.PageData;

/** What a collector remembers by: rings of windows, and alerts. */
class CollectorPartsTest {

    @Test
    void alertsOfThoseOfWhomNothingIsHeardEnd() {
        Alerts alerts = new Alerts();
        alerts.look(1, "loss", "x", 3, 2);
        alerts.look(2, "loss", "x", 3, 2);
        alerts.end(2 + Alerts.SILENT);
        assertEquals(1, alerts.raised());
        alerts.end(3 + Alerts.SILENT);
        assertEquals(0, alerts.raised());
        assertEquals(List.of(false, true), alerts.all().stream().map(Alert::raised).toList());
        alerts.look(30, "loss", "x", 3, 2);
        assertEquals(0, alerts.raised(), "it begins anew");
    }

    @Test
    void moreRacksHaveShorterRingsAndNoMoreMemory() {
        int kept = 2_880;
        RackRings rings = new RackRings(kept, 4 << 20);
        for (int pair = 0; pair < 1_000; pair++) {
            for (long window = 100; window < 104; window++) {
                rings.make("rack/" + pair, window).put(window, pair + 1, 0, 5, 6);
            }
        }
        assertEquals(1_000, rings.size());
        assertTrue(1_000L * rings.windows() * Ring.ROW_BYTES <= 4 << 20, "windows=" + rings.windows());
        assertTrue(rings.windows() >= kept / 16, "windows=" + rings.windows());
        assertEquals(1_000, rings.get("rack/999").point(103).sent());
        assertEquals(4, rings.get("rack/0").points(103).size());
        for (int pair = 0; pair < 1_000; pair++) {
            rings.make("other/" + pair, 103L + kept).put(103L + kept, 1, 0, 5, 6);
        }
        assertEquals(1_000, rings.size(), "those of a day ago make room");
    }

    @Test
    void pairsWithoutRoomAreRefused() {
        RackRings rings = new RackRings(2_880, 10_000);
        int made = 0;
        while (rings.make("rack/" + made, 5) != null) {
            rings.make("rack/" + made, 5).put(5, 1, 0, 5, 6);
            made++;
        }
        assertTrue(rings.isFull() && made > 10 && made < 20, "made=" + made);
    }

    @Test
    void alertsStandBetweenTheirTwoLimits() {
        Alerts alerts = new Alerts();
        double[] values = {3, 1.9, 3, 3, 1.9, 1, 1, 1.9, 1, 1, 1};
        List<Boolean> raised = new ArrayList<>();
        for (int i = 0; i < values.length; i++) {
            alerts.look(i, "loss", "x", values[i], 2);
            raised.add(alerts.raised() > 0);
        }
        assertEquals(List.of(false, false, false, true, true, true, true, true, true, true, false), raised);
        assertEquals(List.of(false, true), alerts.all().stream().map(Alert::raised).toList());
    }

    @Test
    void aRingForgetsWhatIsOlderThanItIsLong() {
        Ring ring = new Ring(4);
        ring.put(1, 10, 1, 5, 6);
        ring.put(3, 30, 3, 5, 6);
        assertEquals(List.of(1L, 3L), ring.points(3).stream().map(PageData.Point::window).toList());
        ring.put(6, 60, 6, 5, 6);
        assertEquals(List.of(3L, 6L), ring.points(6).stream().map(PageData.Point::window).toList());
        assertArrayEquals(new long[] {60, 6}, new long[] {ring.point(6).sent(), ring.point(6).lost()});
        ring.put(100, 1, 0, 0, 0);
        assertEquals(1, ring.points(100).size());
    }
}
