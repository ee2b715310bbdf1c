package org.jvrpc.runtime.thread;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.jvrpc.api.RpcException;
import org.jvrpc.api.Status;
import org.jvrpc.testing.interleaving.Interleavings;
import org.jvrpc.testing.interleaving.SteppedClasses;

/**
 * Threads at one lock, in the orders of their accesses to it that have few preemptions: four with two threads, two
 * with three. All orders are too many.
 */
class SpinLockOrdersTest {

    private static final int PREEMPTIONS_OF_TWO = 4;
    private static final int PREEMPTIONS_OF_THREE = 2;
    private static SteppedClasses stepped;

    @BeforeAll
    static void compile(@TempDir Path folder) throws IOException {
        stepped = new SteppedClasses(SpinLockOrdersTest.class, Path.of(System.getProperty("jvrpc.root"),
                "rpc-transport/runtime/src/main/java"), folder).with("SpinLock",
                        "\\bSTATE\\.", "STEP(STATE).",
                        "(?<!\\.)\\bowner (=|!=|==) me", "STEP(this).owner $1 me",
                        "\\bwaiters\\.", "STEP(waiters).",
                        "(spins\\+\\+\\) \\{\\s+)pause\\(clock, spins\\);",
                        "$1AWAIT(() -> state != FREE || waiters.get() == 0);",
                        "(?<!void )\\bpause\\(clock, spins\\);", "AWAIT(() -> state == FREE || clock.nanoTime() > 0);");
    }

    private static void all(Class<? extends Interleavings.Race> race, int least)
            throws ReflectiveOperationException, InterruptedException {
        boolean three = Interleavings.RaceOfThree.class.isAssignableFrom(race);
        int orders = stepped.all(race, three ? PREEMPTIONS_OF_THREE : PREEMPTIONS_OF_TWO);
        assertTrue(orders >= least, "orders=" + orders);
    }

    /** A lock, and who is inside it. */
    abstract static class Locked implements Interleavings.Race {

        /** From then on each look at the clock finds that time has passed. */
        boolean late;
        private long nowNs;
        final SpinLock lock = new SpinLock(() -> late ? nowNs += 2 : 0);
        int takes;
        private Thread inside;

        /** Is inside for a step. */
        void holds() {
            takes++;
            assertEquals(null, inside, "both have the lock");
            inside = Thread.currentThread();
            Interleavings.step(this).inside = null;
        }

        void triesOnce() {
            if (lock.tryLock()) {
                holds();
                lock.unlock();
            }
        }

        void waits() {
            lock.lockUninterruptibly();
            holds();
            lock.unlock();
        }

        void takesTwice() {
            assertTrue(lock.isOutermost());
            assertTrue(lock.tryLock(), "not reentrant");
            assertFalse(lock.isOutermost());
            holds();
            lock.unlock();
            holds();
        }

        @Override
        public void end() {
            assertFalse(lock.hasWaiters());
            assertTrue(lock.isOutermost());
            assertTrue(lock.tryLock(), "the lock is lost");
        }
    }

    /** One who had the lock before, and so may be its owner by name, comes again while another takes it. */
    static final class TakenAgain extends Locked {

        @Override
        public void first() {
            triesOnce();
            triesOnce();
        }

        @Override
        public void second() {
            triesOnce();
        }

        @Override
        public void end() {
            assertTrue(takes >= 1, "nobody has the lock that is free");
            super.end();
        }
    }

    @Test
    void whoeverHadTheLockBeforeDoesNotHaveItStill() throws Exception {
        all(TakenAgain.class, 1000);
    }

    /** One waits for a lock that another takes twice over and gives back. */
    static final class Waits extends Locked {

        @Override
        public void first() {
            waits();
        }

        @Override
        public void second() {
            if (lock.tryLock()) {
                takesTwice();
                lock.unlock();
            }
        }

        @Override
        public void end() {
            assertTrue(takes == 1 || takes == 3);
            super.end();
        }
    }

    @Test
    void whoeverWaitsGetsTheLockWhenItIsGivenBackForGood() throws Exception {
        all(Waits.class, 1000);
    }

    /** One holds the lock until another's time is over, or that one has had it. */
    static final class TimeIsOver extends Locked {

        private boolean told;

        @Override
        public void first() {
            try {
                lock.lock(1);
            } catch (RpcException e) {
                assertEquals(Status.DEADLINE_EXCEEDED, e.status());
                told = true;
                return;
            }
            holds();
            lock.unlock();
        }

        @Override
        public void second() {
            lock.lockUninterruptibly();
            holds();
            Interleavings.step(this).late = true;
            holds();
            lock.unlock();
        }

        @Override
        public void end() {
            assertEquals(told ? 2 : 3, takes);
            super.end();
        }
    }

    @Test
    void whoeverWaitsInVainIsToldAndWaitsNoLonger() throws Exception {
        all(TimeIsOver.class, 1000);
    }

    /** One who polls leaves the lock to another who waits. */
    static final class GivesWay extends Locked {

        @Override
        public void first() {
            waits();
        }

        @Override
        public void second() {
            lock.lockUninterruptibly();
            holds();
            boolean asked = lock.hasWaiters();
            lock.unlock();
            if (asked) {
                lock.giveWay();
            }
            waits();
        }

        @Override
        public void end() {
            assertEquals(3, takes);
            super.end();
        }
    }

    @Test
    void whoeverGivesWayHasTheLockAgain() throws Exception {
        all(GivesWay.class, 5000);
    }

    /** Two wait, and one comes again who had the lock before. */
    static final class Three extends Locked implements Interleavings.RaceOfThree {

        @Override
        public void first() {
            waits();
        }

        @Override
        public void second() {
            waits();
        }

        @Override
        public void third() {
            triesOnce();
            triesOnce();
        }

        @Override
        public void end() {
            assertTrue(takes >= 2, "takes=" + takes);
            super.end();
        }
    }

    @Test
    void theLockIsOneOfThreeThreads() throws Exception {
        all(Three.class, 1000);
    }
}
