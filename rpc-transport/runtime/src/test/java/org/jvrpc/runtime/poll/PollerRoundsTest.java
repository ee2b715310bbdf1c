package org.jvrpc.runtime.poll;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.jvrpc.runtime.IdleStrategy;
import org.jvrpc.runtime.contract.Await;
import org.jvrpc.runtime.thread.Environment;
import org.jvrpc.runtime.thread.Events;
import org.jvrpc.runtime.thread.Idler;
import org.jvrpc.runtime.thread.Threads;

/** What a poller does when, in a time that passes with its polls. */
class PollerRoundsTest {

    private static final int LOOPS_PER_LOOK = 64;
    private static final long SLEEP_NS = 70_000_000;
    private static final long UNFINISHED_NS = 10_000_000;

    /** Notes what it does, and stops itself after so many polls. Run by the test's thread. */
    private static class Noted extends SessionPoller {

        final List<String> did;
        final Wakes wakes;
        private final long[] nowNs;
        private final long pollNs;
        private final int most;
        int polls;
        boolean unfinished;

        Noted(IdleStrategy idle, long pollNs, int most) {
            this(idle, pollNs, most, new long[] {1_000_000_000}, new ArrayList<>());
        }

        private Noted(IdleStrategy idle, long pollNs, int most, long[] nowNs, List<String> did) {
            this(idle, pollNs, most, nowNs, did, new Wakes(did));
        }

        private Noted(IdleStrategy idle, long pollNs, int most, long[] nowNs, List<String> did, Wakes wakes) {
            super(new Environment(() -> nowNs[0], Threads.DAEMONS), wakes,
                    Idler.ofPoller(idle, () -> nowNs[0]), "jvrpc-noted",
                    SLEEP_NS);
            this.did = did;
            this.wakes = wakes;
            this.nowNs = nowNs;
            this.pollNs = pollNs;
            this.most = most;
        }

        /** Returns how much there is to do in a poll, counted from 1. */
        int work(int poll) {
            return 0;
        }

        void passes(long ns) {
            nowNs[0] += ns;
        }

        @Override
        protected int pollAll() {
            if (++polls == most) {
                stop();
            }
            nowNs[0] += pollNs;
            return work(polls);
        }

        @Override
        protected int pollSome() {
            return pollAll();
        }

        @Override
        protected void housekeeping() {
            did.add("housekeeping");
        }

        @Override
        protected void looked(long atNs) {
            assertEquals(nowNs[0], atNs);
            did.add("looked " + polls);
        }

        @Override
        protected void woken(long atNs) {
            assertEquals(nowNs[0], atNs);
            did.add("woken");
        }

        @Override
        protected void arm() {
            did.add("arm");
        }

        @Override
        protected void disarm() {
            did.add("disarm");
        }

        @Override
        protected boolean isUnfinished() {
            return unfinished;
        }

        @Override
        protected void failed() {
            throw new AssertionError("nothing fails");
        }

        @Override
        protected void end() {
            did.add("end");
        }
    }

    private static final class Wakes implements Events {

        private final List<String> did;
        private int count;
        private Runnable inSleep = () -> { };

        Wakes(List<String> did) {
            this.did = did;
        }

        @Override
        public void await(long timeoutNs) {
            did.add("await " + timeoutNs);
            if (timeoutNs > 0) {
                inSleep.run();
            }
        }

        @Override
        public void wakeup() {
            count++;
        }
    }

    private static List<String> run(Noted poller) {
        poller.run();
        return poller.did;
    }

    /** One look as it arms, one as it is woken. */
    @Test
    void whoHasNothingToDoArmsLooksOnceMoreAndSleeps() {
        Noted poller = new Noted(IdleStrategy.BLOCK, 0, 2 * (LOOPS_PER_LOOK + 1) + 1);
        assertEquals(List.of("looked 64", "await 0", "housekeeping", "arm", "await " + SLEEP_NS, "woken", "disarm",
                "looked 130", "await 0", "housekeeping", "arm", "disarm", "end"), run(poller));
    }

    @Test
    void whoWaitsForWhatMayNotWakeItSleepsShorter() {
        Noted poller = new Noted(IdleStrategy.BLOCK, 0, 2 * LOOPS_PER_LOOK);
        poller.unfinished = true;
        assertEquals(List.of("looked 64", "await 0", "housekeeping", "arm", "await " + UNFINISHED_NS, "woken", "disarm",
                "end"), run(poller).subList(0, 8));
    }

    @Test
    void whatCameWhileItArmedIsHandledBeforeASleep() {
        Noted poller = new Noted(IdleStrategy.BLOCK, 0, 2 * LOOPS_PER_LOOK) {
            @Override
            int work(int poll) {
                return poll == LOOPS_PER_LOOK + 1 ? 1 : 0;
            }
        };
        assertEquals(List.of("looked 64", "await 0", "housekeeping", "arm", "disarm", "end"), run(poller));
    }

    @Test
    void whoHadWorkSinceTheLastLookDoesNotSleep() {
        Noted poller = new Noted(IdleStrategy.BLOCK, 0, 3 * LOOPS_PER_LOOK) {
            @Override
            int work(int poll) {
                return poll % LOOPS_PER_LOOK == 1 ? 1 : 0;
            }
        };
        assertEquals(List.of("looked 64", "await 0", "housekeeping", "looked 128", "looked 192", "end"), run(poller));
    }

    @Test
    void housekeepingIsDoneOnceAMillisecond() {
        Noted each = new Noted(IdleStrategy.SPIN, 1_000_000 / LOOPS_PER_LOOK, 3 * LOOPS_PER_LOOK);
        assertEquals(List.of("looked 64", "await 0", "housekeeping", "looked 128", "await 0", "housekeeping",
                "looked 192", "await 0", "housekeeping", "end"), run(each));
        Noted some = new Noted(IdleStrategy.SPIN, 999_999 / LOOPS_PER_LOOK, 3 * LOOPS_PER_LOOK);
        assertEquals(List.of("looked 64", "await 0", "housekeeping", "looked 128", "looked 192", "await 0",
                "housekeeping", "end"), run(some));
    }

    /** Works without an end, but in the look that follows an arming; looks at the clock once a millisecond. */
    private static Noted working(IdleStrategy idle, int looks) {
        return new Noted(idle, 1_000_000 / LOOPS_PER_LOOK, looks * LOOPS_PER_LOOK) {
            @Override
            int work(int poll) {
                return did.get(did.size() - 1).equals("arm") ? 0 : 1;
            }
        };
    }

    /** What runs at the first call after a pause has run before, while compilers looked on. */
    @Test
    void whoWorksRehearsesASleepOnceAMillisecond() {
        Noted poller = working(IdleStrategy.ADAPTIVE, 3);
        poller.did.add("begin");
        String rehearsal = "await 0, housekeeping, arm, await 1000000, woken, disarm, ";
        String did = String.join(", ", run(poller)).replaceAll("looked [0-9]+, ", "");
        assertEquals("begin, " + rehearsal + rehearsal + "end", did);
    }

    /** The housekeeping that follows a rehearsal at once has no other one follow. */
    @Test
    void rehearsalsAreAMillisecondApartHoweverOftenItLooks() {
        Noted poller = new Noted(IdleStrategy.ADAPTIVE, 1_000, 160 * LOOPS_PER_LOOK) { // 10.24 ms
            @Override
            int work(int poll) {
                return did.get(did.size() - 1).equals("arm") ? 0 : 1;
            }
        };
        poller.did.add("begin");
        List<String> did = run(poller);
        assertTrue(did.stream().filter("housekeeping"::equals).count() >= 10, did::toString);
        long rehearsals = did.stream().filter("arm"::equals).count();
        assertTrue(rehearsals >= 8 && rehearsals <= 11, did::toString);
    }

    @Test
    void whoHasRehearsedAThousandTimesOnlyWorks() {
        Noted poller = working(IdleStrategy.ADAPTIVE, 2000);
        poller.did.add("begin");
        List<String> did = run(poller);
        assertEquals(1000, did.stream().filter("arm"::equals).count());
        List<String> after = did.subList(did.lastIndexOf("disarm"), did.size());
        assertTrue(after.stream().filter("housekeeping"::equals).count() > 900, "it works on");
    }

    /** A wake-up may be for what housekeeping looks at, as the end of a server is: none follows it. */
    @Test
    void whatWokeItInARehearsalIsLookedForBeforeItSleeps() {
        Noted poller = new Noted(IdleStrategy.ADAPTIVE, 1000, 40 * LOOPS_PER_LOOK) {
            @Override
            int work(int poll) {
                return poll == 1 ? 1 : 0;
            }
        };
        String did = String.join(", ", run(poller)).replaceAll("looked [0-9]+, ", "");
        assertTrue(did.startsWith("await 0, housekeeping, arm, await 1000000, woken, disarm, await 0, housekeeping, "
                + "arm, await " + SLEEP_NS), did);
    }

    /** Its client's call takes the way that it goes without a pause, too. */
    @ParameterizedTest
    @EnumSource(value = IdleStrategy.class, mode = EnumSource.Mode.EXCLUDE, names = "ADAPTIVE")
    void whoSleepsAtOnceOrNeverDoesNotRehearse(IdleStrategy idle) {
        Noted poller = working(idle, 10);
        poller.did.add("begin");
        assertFalse(run(poller).contains("arm"));
    }

    /** Its budget is 200 us at first, twice that after a short sleep, and begins anew with each work. */
    @Test
    void itPollsLongerAfterASleepThatWasTooEarly() {
        int workAt = 10 * LOOPS_PER_LOOK;
        Noted poller = new Noted(IdleStrategy.ADAPTIVE, 1000, 40 * LOOPS_PER_LOOK) {
            @Override
            int work(int poll) {
                return poll == workAt ? 1 : 0;
            }
        };
        poller.wakes.inSleep = () -> poller.passes(10_000);
        List<String> did = run(poller);
        did.removeIf(word -> !word.equals("woken") && !word.startsWith("looked"));
        assertEquals(5, did.indexOf("woken"), "looks each 64 us, of which the fifth is beyond 200 us");
        did.remove("woken");
        // The next wait is cut off by work at the sixth look, after which 400 us are seven looks, and one to begin.
        assertEquals(5 + 5 + 8, did.indexOf("woken"), did::toString);
    }

    @Test
    void whatCameWhileItArmedBeginsTheWaitAnew() {
        Noted poller = new Noted(IdleStrategy.ADAPTIVE, 1000, 12 * LOOPS_PER_LOOK) {
            @Override
            int work(int poll) {
                return poll == 5 * LOOPS_PER_LOOK + 1 ? 1 : 0;
            }
        };
        List<String> did = run(poller);
        did.removeIf(word -> !word.equals("arm") && !word.startsWith("looked"));
        assertEquals(5, did.indexOf("arm"), did::toString);
        did.remove("arm");
        assertEquals(5 + 5, did.indexOf("arm"), did::toString);
    }

    @Test
    void onlyWhoSleepsIsWoken() {
        Noted poller = new Noted(IdleStrategy.BLOCK, 0, 2 * LOOPS_PER_LOOK);
        poller.wake();
        assertEquals(0, poller.wakes.count);
        poller.wakes.inSleep = () -> {
            poller.wake();
            assertEquals(1, poller.wakes.count);
        };
        poller.run();
        assertEquals(2, poller.wakes.count, "and once to stop");
        poller.wake();
        assertEquals(2, poller.wakes.count);
    }

    @Test
    void anInterruptThatAHandlerLeftBehindDoesNotKeepItAwake() {
        Noted poller = new Noted(IdleStrategy.BLOCK, 0, 2 * LOOPS_PER_LOOK) {
            @Override
            int work(int poll) {
                if (poll == 1) {
                    Thread.currentThread().interrupt();
                }
                return 0;
            }
        };
        poller.wakes.inSleep = () -> assertFalse(Thread.currentThread().isInterrupted());
        assertTrue(run(poller).contains("woken"));
    }

    @Test
    void whoStopsItWaitsForItsEnd() {
        CountDownLatch stopping = new CountDownLatch(1);
        Noted poller = new Noted(IdleStrategy.SPIN, 0, Integer.MAX_VALUE) {
            @Override
            protected void end() {
                Await.latch("the stop", stopping);
                super.end();
            }
        };
        poller.start();
        assertEquals("jvrpc-noted", poller.thread().getName());
        assertSame(poller.wakes, poller.events());
        Thread stopper = Thread.currentThread();
        Thread releasing = new Thread(() -> {
            Await.until("the stop", () -> poller.isStopped() && stopper.getState() == Thread.State.TIMED_WAITING);
            stopping.countDown();
        });
        releasing.start();
        poller.stop();
        assertFalse(poller.thread().isAlive());
        assertEquals("end", poller.did.get(poller.did.size() - 1));
    }

    @Test
    void whoIsInterruptedWhileItWaitsForTheEndKeepsTheInterrupt() {
        CountDownLatch ending = new CountDownLatch(1);
        Noted poller = new Noted(IdleStrategy.SPIN, 0, Integer.MAX_VALUE) {
            @Override
            protected void end() {
                Await.latch("the interrupted one", ending);
            }
        };
        poller.start();
        Thread.currentThread().interrupt();
        poller.stop();
        assertTrue(Thread.interrupted());
        assertTrue(poller.thread().isAlive());
        ending.countDown();
        poller.stop();
        assertFalse(poller.thread().isAlive());
    }
}
