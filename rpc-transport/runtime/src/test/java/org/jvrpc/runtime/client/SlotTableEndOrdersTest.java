package org.jvrpc.runtime.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.jvrpc.testing.interleaving.Interleavings;

/**
 * Threads at the slots of one session that grows, or comes to its end: two in every order of their accesses, three in
 * those with three preemptions at most.
 */
class SlotTableEndOrdersTest extends SlotTableRaces {

    /** A session is replaced by another while a caller claims a slot of it. */
    static final class Renewed extends Claims {

        Renewed() {
            super(2);
        }

        @Override
        public void first() {
            waitsAndFrees(1);
        }

        @Override
        public void second() {
            closes(false);
        }

        @Override
        public void end() {
            assertNull(table.claim(1));
        }
    }

    @Test
    void aTableIsClosedWhenNobodyHasASlot() throws Exception {
        all(Renewed.class, 1000);
    }

    /** A caller claims a slot of a table that grows. */
    static final class Grows extends Claims {

        Grows() {
            super(1);
        }

        @Override
        public void first() {
            waitsAndFrees(1);
        }

        @Override
        public void second() {
            table.grow(2);
        }

        @Override
        public void end() {
            assertEquals(2, table.count());
            claims(0);
            claims(1);
            assertNull(table.tryClaim(), "there are two");
        }
    }

    @Test
    void theSlotsOfATableThatHasGrownAreThere() throws Exception {
        all(Grows.class, 100);
    }

    /** A session gets more slots while it is replaced by another. */
    static final class GrowsAndRenewal extends Claims {

        GrowsAndRenewal() {
            super(1);
        }

        @Override
        public void first() {
            table.grow(2);
        }

        @Override
        public void second() {
            closes(false);
        }

        @Override
        public void end() {
            assertNull(table.tryClaim(), "a slot that was added to a closed table");
        }
    }

    @Test
    void aTableThatIsClosedGetsNoSlotThatIsFree() throws Exception {
        all(GrowsAndRenewal.class, 20);
    }

    /** The same, and a caller who wants a slot and has one for a while. */
    static final class GrowsAndRenewalAndCaller extends Claims implements Interleavings.RaceOfThree {

        GrowsAndRenewalAndCaller() {
            super(1);
        }

        @Override
        public void first() {
            table.grow(2);
        }

        @Override
        public void second() {
            closes(false);
        }

        @Override
        public void third() {
            waitsAndFrees(1);
        }

        @Override
        public void end() {
            assertNull(table.tryClaim(), "a slot that was added to a closed table");
        }
    }

    @Test
    void nobodyHasASlotOfATableThatWasClosedWhileItGrew() throws Exception {
        all(GrowsAndRenewalAndCaller.class, 1000);
    }

    /** A session is lost while a caller leaves a call that it has given up. */
    static final class Lost extends Claims {

        private final ClientSlot slot;

        Lost() {
            super(1);
            slot = table.tryClaim();
            slot.set(SlotState.GIVEN_UP);
        }

        @Override
        public void first() {
            slot.close();
        }

        @Override
        public void second() {
            closes(true);
        }

        @Override
        public void end() {
            int state = slot.state();
            assertTrue(state == SlotState.CLOSED || state == SlotState.ABANDONED, "state=" + state);
            assertNull(table.claim(1));
        }
    }

    @Test
    void aLostSessionGetsItsSlotsBack() throws Exception {
        all(Lost.class, 20);
    }

    /** Two callers wait for one slot of a session that is replaced by another. */
    static final class TwoAndRenewal extends Claims implements Interleavings.RaceOfThree {

        TwoAndRenewal() {
            super(1);
        }

        @Override
        public void first() {
            waitsAndFrees(1);
        }

        @Override
        public void second() {
            waitsAndFrees(1);
        }

        @Override
        public void third() {
            closes(false);
        }

        @Override
        public void end() {
            assertNull(table.claim(1));
        }
    }

    @Test
    void nobodyWaitsForASlotOfAClosedTable() throws Exception {
        all(TwoAndRenewal.class, 5000);
    }
}
