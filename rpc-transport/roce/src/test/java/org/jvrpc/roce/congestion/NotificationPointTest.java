package org.jvrpc.roce.congestion;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Random;
import org.junit.jupiter.api.Test;

class NotificationPointTest {

    private static final int MARKED = Ecn.trafficClass(26, Ecn.CE);
    private static final int UNMARKED = Ecn.trafficClass(26, Ecn.ECT_0);

    @Test
    void theFirstMarkDrawsACnpAtOnceAndTheNextOneWhenTheIntervalIsOver() {
        NotificationPoint point = new NotificationPoint(50_000);
        NotificationPoint.Flow flow = new NotificationPoint.Flow();
        assertTrue(point.received(flow, MARKED, 0));
        assertFalse(point.received(flow, MARKED, 0));
        assertFalse(point.received(flow, MARKED, 49_999));
        assertTrue(point.received(flow, MARKED, 50_000));
        assertFalse(point.received(flow, MARKED, 99_999));
        assertTrue(point.received(flow, MARKED, 1_000_000));
        assertEquals(6, flow.marked());
        assertEquals(3, flow.notified());
    }

    @Test
    void packetsWithoutAMarkDrawNoneAndAreNotCounted() {
        NotificationPoint point = new NotificationPoint(4_000);
        NotificationPoint.Flow flow = new NotificationPoint.Flow();
        for (int ecn = Ecn.NOT_ECT; ecn < Ecn.CE; ecn++) {
            assertFalse(point.received(flow, ecn, 10_000L * ecn));
        }
        assertEquals(0, flow.marked());
    }

    @Test
    void flowsDoNotWaitForEachOther() {
        NotificationPoint point = new NotificationPoint(4_000);
        NotificationPoint.Flow first = new NotificationPoint.Flow();
        NotificationPoint.Flow second = new NotificationPoint.Flow();
        assertTrue(point.received(first, MARKED, 100));
        assertTrue(point.received(second, MARKED, 101));
    }

    @Test
    void anIntervalOfNothingMeansACnpForEachMark() {
        NotificationPoint point = new NotificationPoint(0);
        NotificationPoint.Flow flow = new NotificationPoint.Flow();
        assertTrue(point.received(flow, MARKED, 5));
        assertTrue(point.received(flow, MARKED, 5));
    }

    @Test
    void theIntervalIsKeptAndNoMarkBehindItWaitsInAnyScheduleAlsoWhenTimeWraps() {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        NotificationPoint point = new NotificationPoint(4_000);
        NotificationPoint.Flow flow = new NotificationPoint.Flow();
        long nowNs = Long.MAX_VALUE - 1_000_000;
        long lastNs = nowNs - 4_000;
        for (int i = 0; i < 100_000; i++) {
            nowNs += random.nextInt(900);
            boolean marked = random.nextInt(3) == 0;
            boolean due = marked && nowNs - lastNs >= 4_000;
            assertEquals(due, point.received(flow, marked ? MARKED : UNMARKED, nowNs), "seed=" + seed + " i=" + i);
            lastNs = due ? nowNs : lastNs;
        }
        assertTrue(nowNs < 0, "time wrapped");
    }

    @Test
    void intervalsOutsideZeroToOneSecondAreRefusedByName() {
        assertEquals("intervalNs=-1 least=0 most=1000000000",
                assertThrows(IllegalArgumentException.class, () -> new NotificationPoint(-1)).getMessage());
        assertThrows(IllegalArgumentException.class, () -> new NotificationPoint(1_000_000_001));
    }
}
