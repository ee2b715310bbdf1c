package org.jvrpc.ibverbs.generic;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.jvrpc.verbs.contract.Background;

/** WR ids of queues, the ids that C sees. */
final class WrIdRingTest {

    private static final int SECONDS = 30;

    @Test
    void idsSayWhichQueueOfWhomAndWhichPlace() {
        for (int owner : new int[] {0, 1, 77, (1 << 30) - 1}) {
            for (int place : new int[] {0, 1, -1, Integer.MIN_VALUE, 12345}) {
                long send = WrId.place(WrId.of(0, owner), place);
                long receive = WrId.place(WrId.of(WrId.RECEIVE, owner), place);
                long shared = WrId.place(WrId.of(WrId.RECEIVE | WrId.SHARED, owner), place);
                for (long id : new long[] {send, receive, shared}) {
                    assertEquals(owner, WrId.owner(id));
                    assertEquals(place, WrId.place(id));
                }
                assertFalse(WrId.isReceive(send) || WrId.isShared(send) || WrId.isShared(receive));
                assertTrue(WrId.isReceive(receive) && WrId.isReceive(shared) && WrId.isShared(shared));
                assertNotEquals(0, shared);
            }
        }
    }

    @Test
    void placesComeBackWithTheCompletionOfALaterOne() {
        WrIdRing ids = new WrIdRing(WrId.of(0, 3), 5);
        long wrId = 1000;
        for (int lap = 0; lap < 1000; lap++) {
            assertEquals(5, ids.room());
            int count = 1 + lap % 5;
            long last = 0;
            for (int i = 0; i < count; i++) {
                last = ids.stamp(i, wrId + i);
            }
            ids.advance(count);
            assertEquals(count, ids.outstanding());
            assertEquals(wrId + count - 1, ids.wrId(WrId.place(last)));
            ids.complete(WrId.place(last));
            assertEquals(0, ids.outstanding());
            wrId += count;
        }
    }

    @Test
    void aPosterWaitsForItsSendsNoLongerThanItMust() {
        WrIdRing ids = new WrIdRing(WrId.of(0, 3), 5);
        long hourNs = 3600L * 1_000_000_000;
        assertTrue(Background.start("poster", () -> ids.awaitNone(hourNs)).join(SECONDS), "nothing was posted");
        ids.stamp(0, 1000);
        ids.stamp(1, 1001);
        ids.advance(2);
        ids.complete(0);
        assertFalse(ids.awaitNone(1_000_000), "one is under way");
        Background<Boolean> poster = Background.start("poster", () -> ids.awaitNone(hourNs));
        ids.complete(1);
        assertTrue(poster.join(SECONDS));
        ids.stamp(0, 1002);
        ids.advance(1);
        Thread.currentThread().interrupt(); // a thread that is interrupted does not park
        long startNs = System.nanoTime();
        assertFalse(ids.awaitNone(20_000_000));
        assertTrue(Thread.interrupted() && System.nanoTime() - startNs >= 20_000_000);
    }
}
