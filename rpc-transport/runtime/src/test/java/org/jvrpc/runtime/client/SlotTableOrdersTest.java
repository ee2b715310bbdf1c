package org.jvrpc.runtime.client;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.jvrpc.api.RpcException;
import org.jvrpc.api.Status;
import org.jvrpc.testing.interleaving.Interleavings;

/**
 * Threads at the slots of one session, by the table and the slots as they are: two in every order of their accesses,
 * three in those with three preemptions at most. What the table asks of its session is the test's.
 */
class SlotTableOrdersTest extends SlotTableRaces {

    /** Two threads that have the same slot for their own. */
    static final class SameSlot extends Claims {

        SameSlot() {
            super(2);
        }

        @Override
        public void first() {
            frees(claims(1));
        }

        @Override
        public void second() {
            frees(claims(1));
        }
    }

    @Test
    void aSlotIsOneCallers() throws Exception {
        all(SameSlot.class, 900);
    }

    /** Their own slots are taken, so the hint leads both to the others. */
    static final class Hint extends Claims {

        Hint() {
            super(4);
            claims(0);
            claims(1);
        }

        @Override
        public void first() {
            claims(0);
        }

        @Override
        public void second() {
            claims(1);
        }
    }

    @Test
    void theHintLeadsNoTwoToOneSlot() throws Exception {
        all(Hint.class, 4000);
    }

    /** More callers than slots. */
    static final class OneSlot extends Claims {

        OneSlot() {
            super(1);
        }

        @Override
        public void first() {
            assertTrue(waitsAndFrees(1));
        }

        @Override
        public void second() {
            assertTrue(waitsAndFrees(1));
        }
    }

    @Test
    void whoWaitsForASlotGetsOne() throws Exception {
        all(OneSlot.class, 100);
    }

    /** Nothing comes free in time. */
    static final class TimeIsOver extends Claims {

        private Status status;

        TimeIsOver() {
            super(1);
            claims(0);
        }

        @Override
        public void first() {
            OWN.set(0);
            try {
                assertNull(table.claim(1), "the other has it");
            } catch (RpcException e) {
                status = e.status();
            }
        }

        @Override
        public void second() {
            Interleavings.step(session).late = true;
            Interleavings.step(session).draining = true;
        }

        @Override
        public void end() {
            assertTrue(session.draining && (status == null || status == Status.DEADLINE_EXCEEDED));
            super.end();
        }
    }

    @Test
    void whoWaitsForASlotInVainIsTold() throws Exception {
        all(TimeIsOver.class, 20);
    }

    /** Calls that nobody waits for any more, of which one is answered. */
    static final class Abandons extends Claims {

        private int choked;

        Abandons() {
            super(4);
            assertFalse(table.abandon());
            assertFalse(table.isChoked());
        }

        private void abandons() {
            if (table.abandon()) {
                choked++;
            }
        }

        @Override
        public void first() {
            abandons();
        }

        @Override
        public void second() {
            abandons();
            table.abandonedAnswered();
        }

        @Override
        public void end() {
            assertTrue(choked == 1 || choked == 2, "told of half of the slots: " + choked);
            assertTrue(table.isChoked());
            table.abandonedAnswered();
            assertFalse(table.isChoked());
            table.abandonedAnswered();
            assertFalse(table.hasAbandoned());
        }
    }

    @Test
    void halfOfTheSlotsAbandonedIsSeen() throws Exception {
        all(Abandons.class, 10);
    }

    /** Three callers, two of which have the same slot for their own. */
    static final class Three extends Claims implements Interleavings.RaceOfThree {

        Three() {
            super(3);
        }

        @Override
        public void first() {
            frees(claims(0));
        }

        @Override
        public void second() {
            frees(claims(1));
        }

        @Override
        public void third() {
            frees(claims(2));
        }
    }

    @Test
    void aSlotIsOneOfThreeCallers() throws Exception {
        all(Three.class, 5000);
    }
}
