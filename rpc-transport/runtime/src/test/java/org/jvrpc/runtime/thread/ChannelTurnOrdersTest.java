package org.jvrpc.runtime.thread;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.jvrpc.testing.interleaving.Interleavings;
import org.jvrpc.testing.interleaving.SteppedClasses;

/**
 * Owner, caller and those who wake them at one channel, in the orders of their accesses that have few preemptions. No
 * time passes: a wake-up that is lost leaves somebody who waits for what nobody does.
 */
class ChannelTurnOrdersTest {

    private static final int PREEMPTIONS = 4;
    private static final int PREEMPTIONS_OF_THREE = 3;
    private static final long LONG_NS = 1_000_000_000;
    private static SteppedClasses stepped;

    @BeforeAll
    static void compile(@TempDir Path folder) throws IOException {
        stepped = new SteppedClasses(ChannelTurnOrdersTest.class, Path.of(System.getProperty("jvrpc.root"),
                "rpc-transport/runtime/src/main/java"), folder).with("ChannelTurn",
                        "private volatile boolean wanted;", "private volatile boolean wanted; boolean permit;",
                        "\\bstate\\.", "STEP(state).",
                        "\\b(called|wanted) = ", "STEP(this).$1 = ",
                        "(!|&& |if \\()(called|wanted)\\b", "$1STEP(this).$2",
                        "LockSupport\\.unpark\\(owner\\);", "STEP(this).permit = true;",
                        "clock\\.parkNanos\\(this, \\w+\\);", "AWAIT(() -> permit); permit = false;");
    }

    /** A channel that is lent to begin with. */
    abstract static class Lent implements Interleavings.Race, Events {

        final ChannelTurn turn = new ChannelTurn(this, () -> 0, () -> begins());
        boolean noted;
        boolean ended;
        private boolean woken;
        private boolean waiter;
        private Thread inside;
        int led;

        /** Somebody has an owner begin, where there is none. */
        void begins() {
            throw new AssertionError("there is an owner");
        }

        Lent() {
            turn.wakeup();
            turn.lend(LONG_NS); // does not park, as it was called
            woken = false;
        }

        @Override
        public void await(long timeoutNs) {
            assertTrue(inside == null, "two wait on the channel");
            inside = Thread.currentThread();
            if (timeoutNs > 0) {
                Interleavings.await(() -> woken);
            }
            Interleavings.step(this).woken = false;
            inside = null;
        }

        @Override
        public void wakeup() {
            Interleavings.step(this).woken = true;
        }

        /** As the event thread waits for what it is woken for: on leave first, so many times. */
        void ownerWaits(int leaves) {
            for (int i = 0; !Interleavings.step(this).noted; i++) {
                if (i < leaves) {
                    turn.lend(LONG_NS);
                } else {
                    turn.await(LONG_NS);
                }
            }
        }

        void wakes() {
            Interleavings.step(this).noted = true;
            turn.wakeup();
        }

        void leads() {
            if (turn.tryLead()) {
                led++;
                Interleavings.step(this).waiter = true;
                if (!Interleavings.step(this).ended) {
                    turn.lead(LONG_NS);
                }
                Interleavings.step(this).waiter = false;
                turn.endLead();
            }
        }

        void endsCall() {
            Interleavings.step(this).ended = true;
            if (Interleavings.step(this).waiter) {
                turn.callEnded();
            }
        }

        @Override
        public void end() {
            assertTrue(inside == null);
        }
    }

    /** The owner goes on leave again, or back to the channel, while somebody wakes it. */
    static final class WokenOnLeave extends Lent {

        @Override
        public void first() {
            ownerWaits(1);
        }

        @Override
        public void second() {
            wakes();
        }
    }

    /** The owner goes back to the channel at once. */
    static final class WokenBack extends Lent {

        @Override
        public void first() {
            ownerWaits(0);
        }

        @Override
        public void second() {
            wakes();
        }
    }

    /** The owner waits on the channel and goes on leave then, where two wake it one after the other. */
    static final class WokenTwice extends Lent {

        @Override
        public void first() {
            turn.await(0);
            ownerWaits(2);
        }

        @Override
        public void second() {
            turn.wakeup();
            wakes();
        }
    }

    @Test
    void theOwnerIsWokenWhereverItIs() throws Exception {
        assertTrue(stepped.all(WokenOnLeave.class, PREEMPTIONS) > 20);
        assertTrue(stepped.all(WokenBack.class, PREEMPTIONS) > 20);
        assertTrue(stepped.all(WokenTwice.class, PREEMPTIONS) > 50);
    }

    /** An owner that may end, as the device tells another to begin. */
    abstract static class Away extends Lent {

        private Runnable told;
        private boolean begun;

        @Override
        public boolean notifies() {
            return true;
        }

        @Override
        public boolean notifyOnce(Runnable owner) {
            Interleavings.step(this).told = owner;
            return true;
        }

        /** Something comes for the device. */
        void deviceTells() {
            Runnable owner = Interleavings.step(this).told;
            if (owner != null) {
                Interleavings.step(this).noted = true;
                owner.run();
            }
        }

        @Override
        void begins() {
            if (turn.tryOwn()) {
                begun = true;
            }
        }

        /** Ends if it may, else waits for what is noted. */
        void ownerLeaves() {
            begun = false; // the first came from the start
            if (!turn.leave()) {
                ownerWaits(0);
                return;
            }
            left = true;
        }

        private boolean left;

        @Override
        public void end() {
            super.end();
            if (noted) {
                assertTrue(!left || begun, "nobody looks at what was noted");
            }
            assertFalse(left && begun && turn.tryOwn(), "two own it");
        }
    }

    /** The owner ends while somebody calls it. */
    static final class CalledAway extends Away {

        @Override
        public void first() {
            ownerLeaves();
        }

        @Override
        public void second() {
            wakes();
        }
    }

    /** The owner ends while two call it, the device and another. */
    static final class CalledAwayByTwo extends Away implements Interleavings.RaceOfThree {

        @Override
        public void first() {
            ownerLeaves();
        }

        @Override
        public void second() {
            wakes();
        }

        @Override
        public void third() {
            deviceTells();
        }
    }

    @Test
    void anOwnerBeginsForWhateverComesWhenTheLastHasEnded() throws Exception {
        assertTrue(stepped.all(CalledAway.class, PREEMPTIONS) > 10);
        assertTrue(stepped.all(CalledAwayByTwo.class, PREEMPTIONS_OF_THREE) > 50);
    }

    /** The owner takes its turn back while a caller begins to lead. */
    static final class TakenBack extends Lent {

        @Override
        public void first() {
            turn.keep();
            turn.await(0);
        }

        @Override
        public void second() {
            leads();
        }

        @Override
        public void end() {
            super.end();
            assertFalse(turn.tryLead(), "the owner keeps it");
        }
    }

    @Test
    void whoLeadsLeavesWhenTheOwnerWantsItsTurn() throws Exception {
        assertTrue(stepped.all(TakenBack.class, PREEMPTIONS) > 20);
    }

    /** Somebody else ends the call of a caller that begins to lead. */
    static final class CallEnded extends Lent {

        @Override
        public void first() {
            leads();
        }

        @Override
        public void second() {
            endsCall();
        }

        @Override
        public void end() {
            super.end();
            assertTrue(led == 1 && turn.tryLead(), "it is still lent");
        }
    }

    @Test
    void whoLeadsHearsThatItsCallEnded() throws Exception {
        assertTrue(stepped.all(CallEnded.class, PREEMPTIONS) > 10);
    }

    /** The owner is woken on leave, and wants its turn, while a caller leads. */
    static final class WokenWhileLed extends Lent implements Interleavings.RaceOfThree {

        @Override
        public void first() {
            ownerWaits(1);
            turn.keep();
            turn.await(0);
        }

        @Override
        public void second() {
            leads();
        }

        @Override
        public void third() {
            wakes();
        }
    }

    /** Two callers want to lead. */
    static final class TwoLead extends Lent implements Interleavings.RaceOfThree {

        @Override
        public void first() {
            leads();
        }

        @Override
        public void second() {
            leads();
        }

        @Override
        public void third() {
            turn.keep();
            turn.await(0);
        }
    }

    @Test
    void oneWaitsOnTheChannelAtATime() throws Exception {
        assertTrue(stepped.all(WokenWhileLed.class, PREEMPTIONS_OF_THREE) > 100);
        assertTrue(stepped.all(TwoLead.class, PREEMPTIONS_OF_THREE) > 100);
    }
}
