package org.jvrpc.runtime.verbs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class UnsentTest {

    @Test
    void whatIsKeptLeavesInItsOrderAndThereIsRoomForEachSlotOnce() {
        Unsent unsent = new Unsent(3);
        for (int lap = 0; lap < 5; lap++) {
            for (int i = 0; i < 3; i++) {
                assertTrue(unsent.add(i, 10 * lap + i, lap));
            }
            assertFalse(unsent.add(3, 99, lap), "a slot was kept twice");
            for (int i = 0; i < 3; i++) {
                assertEquals(3 - i, unsent.size());
                assertEquals(i, unsent.slot());
                assertEquals(10 * lap + i, unsent.number());
                unsent.remove(lap);
            }
            assertEquals(0, unsent.size());
        }
    }

    @Test
    void itIsStuckSinceTheFirstWasKeptOrTheLastWasPosted() {
        Unsent unsent = new Unsent(3);
        unsent.add(0, 1, 100);
        unsent.add(1, 2, 150);
        assertEquals(70, unsent.stuckNs(170));
        unsent.remove(180);
        assertEquals(20, unsent.stuckNs(200));
    }
}
