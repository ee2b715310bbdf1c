package org.jvrpc.runtime.transport;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.jvrpc.runtime.contract.Await;
import org.jvrpc.runtime.thread.Clock;
import org.jvrpc.runtime.thread.Environment;
import org.jvrpc.runtime.thread.Events;
import org.jvrpc.runtime.thread.Threads;

/** What a control thread does in each of its turns, in a time of the test's own, and how it ends. */
class ControlThreadStepsTest {

    private static final long MS = 1_000_000;
    /** Turns in a row without work or wait, after which it pauses. */
    private static final int EMPTY = 16;

    private final List<String> woken = new ArrayList<>();
    private Runnable whenAwaiting;
    private final Events events = new Events() {

        @Override
        public void await(long timeoutNs) {
            whenAwaiting.run();
        }

        @Override
        public void wakeup() {
            woken.add("wakeup");
        }
    };
    private final Time time = new Time();
    private final List<String> did = new ArrayList<>();
    private int requests;
    private RuntimeException fault;
    /** There is something to see to. */
    private boolean settle;
    private Thread thread;
    private ControlThread control = make(this::keep);

    /** Notes for how long somebody pauses, in milliseconds. */
    private static final class Time implements Clock {

        private final List<Long> pauses = new ArrayList<>();
        private long nowNs;

        @Override
        public long nanoTime() {
            return nowNs;
        }

        @Override
        public void parkNanos(Object blocker, long ns) {
            pauses.add(ns / MS);
            nowNs += ns;
        }

        private List<Long> pauses() {
            List<Long> all = List.copyOf(pauses);
            pauses.clear();
            return all;
        }
    }

    private final class Server implements ControlThread.Server {

        @Override
        public int accept(int most) {
            if (fault != null) {
                throw fault;
            }
            int count = 0;
            for (; requests > 0 && count < most; requests--) {
                did.add("accept");
                count++;
            }
            return count;
        }

        @Override
        public boolean settle() {
            return settle && did.add("settle");
        }

        @Override
        public void leave() {
            if (settle) {
                did.add("leave");
            }
        }

        @Override
        public void deviceIsGone() {
            throw new AssertionError("it is not");
        }
    }

    private Thread keep(Runnable task, String name) {
        thread = Threads.DAEMONS.make(task, name);
        return thread;
    }

    private ControlThread make(Threads threads) {
        return new ControlThread("test-control", new Server(), events, new Environment(time, threads));
    }

    /** Has it take turns in which it waits as told, then end. */
    private void run(Runnable... waits) {
        int[] turn = new int[1];
        whenAwaiting = () -> {
            if (turn[0] == waits.length) {
                control.stop();
            } else {
                waits[turn[0]++].run();
            }
        };
        thread.run(); // here
    }

    private static Runnable[] times(int count, Runnable wait) {
        return Collections.nCopies(count, wait).toArray(Runnable[]::new);
    }

    private static Runnable[] all(Runnable[]... parts) {
        List<Runnable> all = new ArrayList<>();
        for (Runnable[] part : parts) {
            all.addAll(List.of(part));
        }
        return all.toArray(Runnable[]::new);
    }

    private static void nothing() {
    }

    private void passOneMs() {
        time.nowNs += MS;
    }

    @Test
    void thoseWhoWereAnsweredAreSeenToInEachTurnAndLeftAtTheEnd() {
        settle = true;
        requests++;
        run();
        assertEquals(List.of("accept", "settle", "leave"), did);
    }

    @Test
    void allWhoWantToConnectAreAnsweredInATurn() {
        requests = 2;
        run();
        assertEquals(List.of("accept", "accept"), did);
    }

    @Test
    void whatIsBuriedWakesTheThread() {
        woken.clear();
        control.bury(() -> did.add("buried"));
        assertEquals(List.of("wakeup"), woken);
        woken.clear();
        run();
        assertEquals(List.of("buried"), did);
        assertEquals(List.of("wakeup"), woken, "the end wakes it, too");
    }

    @Test
    void whatIsBuriedLastIsBuriedBeforeTheEnd() {
        run(() -> control.stop());
        control.bury(() -> did.add("buried"));
        thread.run();
        assertEquals(List.of("buried"), did);
    }

    @Test
    void waitsThatEndAtOnceForNothingEndInLongerAndLongerPauses() {
        run(times(EMPTY - 1, ControlThreadStepsTest::nothing));
        assertEquals(List.of(1L), time.pauses(), "the turn in which it is ended is the last of them");
        control = make(this::keep);
        run(times(EMPTY - 2, ControlThreadStepsTest::nothing));
        assertEquals(List.of(), time.pauses());
        control = make(this::keep);
        run(times(EMPTY + 8, ControlThreadStepsTest::nothing));
        assertEquals(List.of(1L, 2L, 4L, 8L, 16L, 32L, 64L, 100L, 100L, 100L), time.pauses());
    }

    @Test
    void aWaitOrWorkBeginsAnew() {
        for (Runnable other : List.<Runnable>of(this::passOneMs, () -> requests++,
                () -> control.bury(() -> did.add("buried")))) {
            control = make(this::keep);
            run(all(times(EMPTY + 1, ControlThreadStepsTest::nothing), times(1, other),
                    times(EMPTY, ControlThreadStepsTest::nothing)));
            assertEquals(List.of(1L, 2L, 1L, 2L), time.pauses());
        }
    }

    @Test
    void aWaitOfAlmostAMillisecondIsNone() {
        run(times(EMPTY, () -> time.nowNs += MS - 1));
        assertEquals(List.of(1L, 2L), time.pauses());
    }

    @Test
    void failuresEndInPausesToo() {
        fault = new IllegalStateException("planted");
        run(times(3, ControlThreadStepsTest::nothing));
        assertEquals(List.of(1L, 2L, 4L, 8L), time.pauses());
    }

    // ---- its end, with a thread that runs

    @Test
    void whoeverEndsItWaitsUntilAllIsBuried() {
        Thread stopper = Thread.currentThread();
        control.bury(() -> {
            Await.until("the end to be waited for", () -> stopper.getState() == Thread.State.TIMED_WAITING);
            did.add("buried");
        });
        control.start();
        control.stop();
        assertEquals(List.of("buried"), did);
        assertFalse(thread.isAlive());
    }

    @Test
    void whoeverIsInterruptedMeanwhileStaysSo() throws InterruptedException {
        CountDownLatch interruption = new CountDownLatch(1);
        boolean[] interrupted = new boolean[1];
        control.bury(() -> Await.latch("the interruption", interruption));
        control.start();
        Thread stopper = new Thread(() -> {
            control.stop();
            interrupted[0] = Thread.currentThread().isInterrupted();
        });
        stopper.start();
        Await.until("the end to be waited for", () -> stopper.getState() == Thread.State.TIMED_WAITING);
        stopper.interrupt();
        stopper.join();
        assertTrue(interrupted[0]);
        interruption.countDown();
        thread.join();
    }
}
