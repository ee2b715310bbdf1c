package org.jvrpc.runtime.poll;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.jvrpc.runtime.IdleStrategy;
import org.jvrpc.runtime.thread.Clock;
import org.jvrpc.runtime.thread.Environment;
import org.jvrpc.runtime.thread.Events;
import org.jvrpc.runtime.thread.Idler;
import org.jvrpc.runtime.thread.Threads;

/** The length of a session's turn, and failures that are no session's. */
class SessionPollerTest {

    private static final int TOO_MANY = 1000;

    @ParameterizedTest
    @CsvSource({"0, 32", "1, 32", "2, 16", "3, 8", "10, 2", "16, 2", "17, 2", "10000, 2"})
    void theMoreSessionsTheShorterATurn(int sessions, int messages) {
        assertEquals(messages, SessionPoller.batch(sessions));
    }

    /** A time that passes only between failures. */
    private static final class Steps implements Clock {

        private final long stepNs;
        private long nowNs = 5_000_000_000L;

        Steps(long stepNs) {
            this.stepNs = stepNs;
        }

        @Override
        public long nanoTime() {
            return nowNs;
        }

        @Override
        public void parkNanos(Object blocker, long ns) {
            nowNs += stepNs;
        }
    }

    /** Looks that are so far apart that it is time to sleep at the second. */
    private static final class Leaps implements Clock {

        private long nowNs;

        @Override
        public long nanoTime() {
            return nowNs += 3_000_000;
        }
    }

    private static final class NoEvents implements Events {

        @Override
        public void await(long timeoutNs) {
            throw new AssertionError("there is something to do");
        }

        @Override
        public void wakeup() {
        }
    }

    /** Fails so many times, then stops itself. Run by the test's thread. */
    private static final class Failing extends SessionPoller {

        private int left;
        private int polls;
        private int gaveUp;
        private int ends;

        Failing(int failures, long stepNs) {
            super(new Environment(new Steps(stepNs), Threads.DAEMONS), new NoEvents(),
                    Idler.ofPoller(IdleStrategy.SPIN, Clock.SYSTEM), "jvrpc-failing", 1);
            left = failures;
        }

        @Override
        protected int pollAll() {
            polls++;
            if (left-- > 0) {
                throw new AssertionError("planted");
            }
            stop();
            return 1;
        }

        @Override
        protected int pollSome() {
            return pollAll();
        }

        @Override
        protected void housekeeping() {
        }

        @Override
        protected void arm() {
        }

        @Override
        protected void disarm() {
        }

        @Override
        protected boolean isUnfinished() {
            return false;
        }

        @Override
        protected void failed() {
            assertEquals(0, ends, "who is told hears of it before the end");
            gaveUp++;
        }

        @Override
        protected void end() {
            ends++;
            if (gaveUp > 0) {
                throw new AssertionError("planted in the end, too");
            }
        }
    }

    private static Failing run(int failures, long stepNs) {
        Failing poller = new Failing(failures, stepNs);
        assertFalse(poller.isStopped());
        poller.run();
        assertEquals(1, poller.ends);
        return poller;
    }

    @Test
    void itGoesOnAfterFailuresThatAreNotTooMany() {
        Failing poller = run(TOO_MANY - 1, 1_000_000);
        assertEquals(0, poller.gaveUp);
        assertEquals(TOO_MANY, poller.polls);
    }

    @Test
    void itGivesUpWhenTheyDoNotEnd() {
        Failing poller = run(2 * TOO_MANY, 1_000_000);
        assertEquals(1, poller.gaveUp);
        assertEquals(TOO_MANY, poller.polls);
    }

    @Test
    void failuresThatAreFarApartAreNeverTooMany() {
        Failing poller = run(3 * TOO_MANY, 1_000_000_000);
        assertEquals(0, poller.gaveUp);
        assertEquals(3 * TOO_MANY + 1, poller.polls);
    }

    /** Sleeps when it is told to, and notes what it does; its events stop it in the second sleep. */
    private static final class Sleeping extends SessionPoller implements Events {

        private final StringBuilder did;
        private final int found;
        private int sleeps;
        private boolean woken;

        /** @param found what the first poll after each sleep finds */
        private Sleeping(StringBuilder did, Events[] self, int found) {
            super(new Environment(new Leaps(), Threads.DAEMONS), new Events() {
                @Override
                public void await(long timeoutNs) {
                    self[0].await(timeoutNs);
                }

                @Override
                public void wakeup() {
                    self[0].wakeup();
                }
            }, Idler.ofPoller(IdleStrategy.ADAPTIVE, () -> {
                did.append(" yield");
                return 0;
            }), "jvrpc-sleeping", 1000);
            this.did = did;
            this.found = found;
            self[0] = this;
        }

        @Override
        public void await(long timeoutNs) {
            if (timeoutNs > 0) {
                did.append(" await");
                if (++sleeps == 2) {
                    stop();
                }
            }
        }

        @Override
        public void wakeup() {
        }

        @Override
        protected int pollAll() {
            did.append(" all");
            int count = woken ? found : 0;
            woken = false;
            return count;
        }

        @Override
        protected int pollSome() {
            if (!did.toString().endsWith(" some")) {
                did.append(" some");
            }
            return 0;
        }

        @Override
        protected void woken(long nowNs) {
            did.append(" woken");
            woken = true;
        }

        @Override
        protected void housekeeping() {
        }

        @Override
        protected void arm() {
            did.append(" arm");
        }

        @Override
        protected void disarm() {
            did.append(" disarm");
        }

        @Override
        protected boolean isUnfinished() {
            return false;
        }

        @Override
        protected void failed() {
        }

        @Override
        protected void end() {
        }
    }

    /**
     * Whoever is about to sleep looks at all sessions: at the silent ones nobody else would. Whoever is woken looks
     * first at what woke it, and knows by then that time has passed.
     */
    @Test
    void whatWokeItIsPolledBeforeAnythingElse() {
        StringBuilder did = new StringBuilder();
        new Sleeping(did, new Events[1], 0).run();
        String sleep = " some arm all await woken all disarm";
        assertEquals(sleep + sleep, did.toString());
    }

    /** Its waker may be in the midst of a system call on the same processor, and has its answer. */
    @Test
    void whoDidWhatWokeItLeavesTheProcessorBeforeAllElse() {
        StringBuilder did = new StringBuilder();
        new Sleeping(did, new Events[1], 1).run();
        // The second "all" finds nothing more; the clock is asked before a yield, and behind it.
        String sleep = " some arm all await woken all all yield yield disarm";
        assertEquals(sleep + sleep, did.toString());
    }
}
