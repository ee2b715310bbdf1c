package org.jvrpc.runtime.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.jvrpc.api.RpcException;
import org.jvrpc.api.Status;
import org.jvrpc.runtime.thread.Clock;
import org.jvrpc.testing.interleaving.Interleavings;
import org.jvrpc.testing.interleaving.SteppedClasses;

/**
 * Threads at the slots of one session, by the table and the slots as they are: two in every order of their accesses,
 * three in those with three preemptions at most. What the table asks of its session is the test's.
 */
class SlotTableOrdersTest {

    private static final int PREEMPTIONS = 3;
    private static SteppedClasses stepped;

    @BeforeAll
    static void compile(@TempDir Path folder) throws IOException {
        stepped = new SteppedClasses(SlotTableOrdersTest.class, Path.of(System.getProperty("jvrpc.root"),
                "rpc-transport/runtime/src/main/java"), folder)
                .with("SlotState",
                        "\\bWORD\\.", "STEP(WORD).",
                        "\\bwith\\(word\\b", "with(STEP(this).word")
                .with("SlotTable",
                        "(?<!int )\\bnext\\b", "STEP(this).next",
                        "\\babandoned\\.", "STEP(abandoned).",
                        "\\(int\\) Thread\\.currentThread\\(\\)\\.getId\\(\\)", "SlotTableOrdersTest.OWN.get()",
                        "final ClientSession session", "final SlotTableOrdersTest.Session session",
                        "= session(\\.clock\\(\\))?;", "= SlotTableOrdersTest.made$1;",
                        "ClientSlot\\(session, clock, i, link.body\\(i\\)\\)", "ClientSlot(null, clock, i, null)",
                        "session\\.isUsable\\(\\)", "STEP(session).isUsable()",
                        "session\\.attendance\\(\\)\\.countPoll\\(\\);", "",
                        "session\\.tryPoll\\(.*\\);", "",
                        "session\\.client\\(\\)\\.events\\(\\)\\.publishOwn\\(\\);", "",
                        "session\\.giveUp\\(slot, future\\)", "future != null",
                        "SpinLock\\.pause\\(clock, spins\\);", "AWAIT(() -> session.hasNews(slots));");
    }

    private static void all(Class<? extends Interleavings.Race> race, int least)
            throws ReflectiveOperationException, InterruptedException {
        boolean three = Interleavings.RaceOfThree.class.isAssignableFrom(race);
        int orders = stepped.all(race, three ? PREEMPTIONS : Interleavings.EVERY_ORDER);
        assertTrue(orders >= least, "orders=" + orders);
    }

    /** Stands for the number of the thread, by which it has a slot for its own. */
    static final ThreadLocal<Integer> OWN = ThreadLocal.withInitial(() -> 0);

    /** The session of the table that is made next. */
    static Session made;

    /** What a table asks of its session, and whoever waits for it. */
    static final class Session {

        private boolean draining;
        private boolean late;

        Clock clock() {
            return () -> late ? 1 : 0;
        }

        boolean isUsable() {
            return !draining;
        }

        boolean hasNews(ClientSlot[] slots) {
            boolean free = false;
            for (ClientSlot slot : slots) {
                free |= slot.state() == SlotState.FREE;
            }
            return free || draining || late;
        }
    }

    /** A table, and who has which of its slots. */
    abstract static class Claims implements Interleavings.Race {

        final Session session = new Session();
        final SlotTable table;
        private final Set<ClientSlot> taken = new HashSet<>();

        Claims(int slots) {
            made = session;
            table = new SlotTable(null, null, slots);
        }

        ClientSlot have(ClientSlot slot) {
            assertTrue(slot == null || taken.add(slot), "a slot that another caller has");
            return slot;
        }

        /** Claims one of slots of which there are enough. @param own the number of the thread */
        ClientSlot claims(int own) {
            OWN.set(own);
            ClientSlot slot = table.tryClaim();
            assertNotNull(slot, "no slot, and there are enough");
            return have(slot);
        }

        void frees(ClientSlot slot) {
            taken.remove(slot);
            slot.set(SlotState.FREE);
        }

        /** Waits for a slot, has it and frees it; false when the session takes no calls. */
        boolean waitsAndFrees(int own) {
            OWN.set(own);
            ClientSlot slot = have(table.claim(1));
            if (slot != null) {
                frees(slot);
            }
            return slot != null;
        }

        /** Closes the slots, as often as it takes. */
        void closes(boolean lost) {
            OWN.set(0);
            Interleavings.step(session).draining = true;
            while (!table.close(lost)) {
                Interleavings.await(this::hasLeft);
            }
            assertEquals(0, taken.size(), "closed, and callers have slots");
            assertNull(table.tryClaim(), "a slot of a closed table");
        }

        private boolean hasLeft() {
            boolean left = false;
            for (ClientSlot slot : table.all()) {
                int state = slot.state();
                left |= state == SlotState.FREE || state == SlotState.GIVEN_UP || state == SlotState.ABANDONED;
            }
            return left;
        }

        /** No slot is lost. */
        @Override
        public void end() {
            for (ClientSlot slot : table.all()) {
                assertEquals(taken.contains(slot), slot.state() == SlotState.CLAIMED, "whose it is and what it says");
            }
            for (int left = table.all().length - taken.size(); left > 0; left--) {
                claims(left);
            }
            assertNull(table.tryClaim());
        }
    }

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
