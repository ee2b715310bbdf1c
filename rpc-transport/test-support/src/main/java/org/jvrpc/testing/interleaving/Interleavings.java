package org.jvrpc.testing.interleaving;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.Semaphore;
import java.util.function.Supplier;

/**
 * Runs two threads through every order of their steps. A thread stops before each step and goes on alone; so memory is
 * as by sequential consistency, and what fences are for is not tested. Where a step is, sources say that
 * {@link SteppedClasses} changes, or the race itself.
 */
public final class Interleavings {

    private static final ThreadLocal<Runner> CURRENT = new ThreadLocal<>();

    private Interleavings() {
    }

    /** What two threads do to one object, made anew for each order. */
    public interface Race {

        void first();

        void second();

        /** Looks at what has become of it. */
        void end();
    }

    /** The next access to shared memory is a step of its own, where this thread is one of two. */
    public static <T> T step(T target) {
        Runner runner = CURRENT.get();
        if (runner != null && !runner.whole) {
            runner.stop();
        }
        return target;
    }

    /** The end of a turn of a loop that waits for the other thread: the next comes when that one has done something. */
    public static void pause() {
        Runner runner = CURRENT.get();
        if (runner != null) {
            runner.pauses = true;
            runner.stop();
        }
    }

    /** Does something as one step, whatever accesses are in it. */
    public static void whole(Runnable action) {
        Runner runner = CURRENT.get();
        runner.stop();
        runner.whole = true;
        try {
            action.run();
        } finally {
            runner.whole = false;
        }
    }

    private static final class Runner {

        final Semaphore go = new Semaphore(0);
        final Semaphore stepped = new Semaphore(0);
        final FutureTask<Void> task;
        /** Between two turns of a loop. Read by the scheduler while this stands still, as what follows. */
        private boolean pauses;
        private int steps;
        /** How many steps of the other were done when the last turn of a loop began. */
        private int seen = -1;
        private boolean whole;

        Runner(Runnable body) {
            task = new FutureTask<>(body, null) {
                @Override
                protected void done() {
                    stepped.release();
                }
            };
            Thread thread = new Thread(() -> {
                CURRENT.set(this);
                go.acquireUninterruptibly();
                task.run();
            }, "interleaved");
            thread.setDaemon(true);
            thread.start();
        }

        private void stop() {
            stepped.release();
            go.acquireUninterruptibly();
        }

        /** Runs to before its next step, or to its end. */
        void advance(Runner other) {
            if (pauses) {
                seen = other.steps;
                pauses = false;
            }
            steps++;
            go.release();
            stepped.acquireUninterruptibly();
        }

        boolean canStep(Runner other) {
            return !task.isDone() && (!pauses || other.steps != seen);
        }
    }

    /** Runs each order once; returns how many there are. @throws AssertionError which names the order that failed */
    public static int all(Supplier<? extends Race> races) throws InterruptedException {
        List<Boolean> order = new ArrayList<>(); // true where the second thread stepped
        int count = 0;
        do {
            count++;
            List<Boolean> choices = new ArrayList<>();
            try {
                run(races.get(), order, choices);
            } catch (ExecutionException | AssertionError e) {
                throw new AssertionError("order " + count + ", second thread's turn: " + order + ": " + e, e);
            }
            order = next(order, choices);
        } while (order != null);
        return count;
    }

    /** Follows an order, and completes it where it ends. @param choices becomes, for each step, whether both could */
    private static void run(Race race, List<Boolean> order, List<Boolean> choices)
            throws ExecutionException, InterruptedException {
        Runner first = new Runner(race::first);
        Runner second = new Runner(race::second);
        for (int i = 0; !first.task.isDone() || !second.task.isDone(); i++) {
            boolean canFirst = first.canStep(second);
            boolean canSecond = second.canStep(first);
            if (!canFirst && !canSecond) {
                throw new AssertionError("each waits for what the other does");
            }
            if (i == order.size()) {
                order.add(!canFirst);
            }
            choices.add(canFirst && canSecond);
            if (order.get(i)) {
                second.advance(first);
            } else {
                first.advance(second);
            }
        }
        first.task.get();
        second.task.get();
        race.end();
    }

    /** Returns the begin of the next order; null after the last. */
    private static List<Boolean> next(List<Boolean> order, List<Boolean> choices) {
        for (int i = order.size() - 1; i >= 0; i--) {
            if (choices.get(i) && !order.get(i)) {
                List<Boolean> next = new ArrayList<>(order.subList(0, i));
                next.add(true);
                return next;
            }
        }
        return null;
    }
}
