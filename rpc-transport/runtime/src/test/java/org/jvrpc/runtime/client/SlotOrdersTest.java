package org.jvrpc.runtime.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.jvrpc.testing.interleaving.Interleavings;
import org.jvrpc.testing.interleaving.SteppedClasses;

/** Two threads at one slot, in every order of their accesses to it. */
class SlotOrdersTest {

    private static SteppedClasses stepped;

    @BeforeAll
    static void compile(@TempDir Path folder) throws IOException {
        stepped = new SteppedClasses(SlotOrdersTest.class, Path.of(System.getProperty("jvrpc.root"),
                "rpc-transport/runtime/src/main/java"), folder).with("SlotState",
                        "\\bWORD\\.", "STEP(WORD).",
                        "\\bwith\\(word\\b", "with(STEP(this).word",
                        "(?<!long )\\bleaving\\b", "STEP(this).leaving");
    }

    private static void all(Class<? extends Interleavings.Race> race, int least)
            throws ReflectiveOperationException, InterruptedException {
        int orders = stepped.all(race);
        assertTrue(orders >= least, "orders=" + orders);
    }

    /** A slot that a one-way call left, whose message 1 is acknowledged; an acknowledgement is a step. */
    abstract static class Sends implements Interleavings.Race {

        final BareSlot slot = new BareSlot();
        long left = 1;
        private long acknowledged = 1;
        private int owners;

        Sends() {
            slot.acknowledged = send -> acknowledged >= send;
            assertTrue(slot.tryClaim());
            slot.leave(1);
        }

        /** Returns true when the slot is this thread's, whose memory no message is read from then. */
        boolean claims() {
            if (!slot.tryClaim()) {
                return false;
            }
            assertTrue(left <= acknowledged, "claimed while message " + left + " is read from its memory");
            assertEquals(1, ++owners, "callers that have the slot");
            return true;
        }

        void sends() {
            long claim = slot.claim();
            slot.leave(++left);
            owners--;
            assertFalse(slot.isUnsent(claim), "it would free the slot of the next caller");
        }

        void frees() {
            slot.set(SlotState.FREE);
            owners--;
        }

        void acknowledges() {
            Interleavings.step(this).acknowledged = left;
        }

        @Override
        public void end() {
            assertTrue(slot.state() != SlotState.FREE || left <= acknowledged, "freed before message " + left);
            acknowledges();
            assertTrue(claims(), "the slot is lost");
        }
    }

    /** A caller sends again while another one looks whether the last message is acknowledged. */
    static final class ClaimWhileSending extends Sends {

        @Override
        public void first() {
            if (claims()) {
                sends();
            }
        }

        @Override
        public void second() {
            if (claims()) {
                frees();
            }
        }
    }

    @Test
    void noCallerHasASlotWhoseMessageIsUnderWay() throws Exception {
        all(ClaimWhileSending.class, 1000);
    }

    /** The message of a caller is acknowledged, and another caller comes, before the first has looked at it again. */
    static final class ClaimWhenAcknowledged extends Sends {

        ClaimWhenAcknowledged() {
            assertTrue(claims());
        }

        @Override
        public void first() {
            sends();
        }

        @Override
        public void second() {
            acknowledges();
            if (claims()) {
                frees();
            }
        }
    }

    @Test
    void whoeverSentOneWayKeepsNothingOfTheSlot() throws Exception {
        all(ClaimWhenAcknowledged.class, 100);
    }

    /** The session gives slots back that were left. */
    static final class FreeWhileSending extends Sends {

        @Override
        public void first() {
            if (claims()) {
                sends();
            }
        }

        @Override
        public void second() {
            slot.tryFreeLeaving(false);
        }
    }

    @Test
    void noSlotIsFreeWhoseMessageIsUnderWay() throws Exception {
        all(FreeWhileSending.class, 400);
    }

    /** The answer and the deadline race for a call. */
    static final class Ends implements Interleavings.Race {

        private final BareSlot slot = new BareSlot();
        private final AtomicInteger ends = new AtomicInteger();

        Ends() {
            assertTrue(slot.tryClaim());
            slot.set(SlotState.SENT);
        }

        @Override
        public void first() {
            ends.addAndGet(slot.leaveSent(SlotState.DONE) ? 1 : 0);
        }

        @Override
        public void second() {
            ends.addAndGet(slot.leaveSent(SlotState.ABANDONED) ? 1 : 0);
        }

        @Override
        public void end() {
            assertEquals(1, ends.get(), "ends of one call");
        }
    }

    @Test
    void aCallEndsOnce() throws Exception {
        all(Ends.class, 20);
    }

    /** A caller claims the slot of a session that drains. */
    static final class Close implements Interleavings.Race {

        private final BareSlot slot = new BareSlot();
        private final AtomicInteger owners = new AtomicInteger();

        @Override
        public void first() {
            owners.addAndGet(slot.tryClaim() ? 1 : 0);
        }

        @Override
        public void second() {
            owners.addAndGet(slot.tryClose() ? 1 : 0);
        }

        @Override
        public void end() {
            assertEquals(1, owners.get(), "callers and the session");
        }
    }

    @Test
    void aSlotIsACallersOrClosed() throws Exception {
        all(Close.class, 20);
    }
}
