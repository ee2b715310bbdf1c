package org.jvrpc.runtime.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.jvrpc.runtime.thread.Clock;
import org.jvrpc.testing.interleaving.Interleavings;
import org.jvrpc.testing.interleaving.SteppedClasses;

/** What races for the slots of one session are made of. */
abstract class SlotTableRaces {

    private static final int PREEMPTIONS = 3;
    private static SteppedClasses stepped;

    @BeforeAll
    static void compile(@TempDir Path folder) throws IOException {
        stepped = new SteppedClasses(SlotTableRaces.class, Path.of(System.getProperty("jvrpc.root"),
                "rpc-transport/runtime/src/main/java"), folder)
                .with("SlotState",
                        "\\bWORD\\.", "STEP(WORD).",
                        "\\bwith\\(word\\b", "with(STEP(this).word")
                .with("SlotTable",
                        "(?<!int )\\bnext\\b", "STEP(this).next",
                        "\\babandoned\\.", "STEP(abandoned).",
                        "\\(int\\) Thread\\.currentThread\\(\\)\\.getId\\(\\)", "SlotTableRaces.OWN.get()",
                        "final ClientSession session", "final SlotTableRaces.Session session",
                        "= session(\\.clock\\(\\))?;", "= SlotTableRaces.made$1;",
                        "ClientSlot\\(session, clock, i, link.body\\(i\\)\\)", "ClientSlot(null, clock, i, null)",
                        "(?<=close\\(boolean lost\\) \\{\n {8}ClientSlot\\[] all = )slots", "STEP(this).slots",
                        "slots = all;", "STEP(this).slots = all;",
                        "slots == all", "STEP(this).slots == all",
                        "closed (\\?|= true)", "STEP(this).closed $1",
                        "session\\.growth\\(\\)\\.begin\\(\\);", "",
                        "session\\.isUsable\\(\\)", "STEP(session).isUsable()",
                        "session\\.attendance\\(\\)\\.countPoll\\(\\);", "",
                        "session\\.tryPoll\\(.*\\);", "",
                        "session\\.client\\(\\)\\.events\\(\\)\\.publishOwn\\(\\);", "",
                        "session\\.callbacks\\(\\)\\.claimKept\\(\\)", "null",
                        "Callbacks\\.leaveCurrent\\(\\);", "",
                        "session\\.callbacks\\(\\)\\.detach\\(\\);", "",
                        "slot\\.hasCallback\\(\\)", "false",
                        "session\\.abandonment\\(\\)\\.expireCallbacks\\(nowNs\\);", "",
                        "session\\.abandonment\\(\\)\\.giveUp\\(slot, future\\)", "future != null",
                        "SpinLock\\.pause\\(clock, spins\\);", "AWAIT(() -> session.hasNews(slots));");
    }

    static void all(Class<? extends Interleavings.Race> race, int least)
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

        boolean draining;
        boolean late;

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
            table = new SlotTable(null, null, slots, slots);
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
            boolean closed = true;
            for (ClientSlot slot : table.all()) {
                int state = slot.state();
                closed &= state == SlotState.CLOSED;
                left |= state == SlotState.FREE || state == SlotState.GIVEN_UP || state == SlotState.ABANDONED;
            }
            return left || closed;
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
}
