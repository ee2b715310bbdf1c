package org.jvrpc.runtime.client;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.Semaphore;
import java.util.function.Supplier;

/**
 * Runs two threads through every order of their steps. A thread stops before each step and goes on alone; so memory is
 * as by sequential consistency, and what fences are for is not tested.
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
        if (runner != null) {
            runner.stepped.release();
            runner.go.acquireUninterruptibly();
        }
        return target;
    }

    private static final class Runner {

        final Semaphore go = new Semaphore(0);
        final Semaphore stepped = new Semaphore(0);
        final FutureTask<Void> task;

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

        /** Runs to before its next step, or to its end. */
        void advance() {
            go.release();
            stepped.acquireUninterruptibly();
        }
    }

    /** Runs each order once; returns how many there are. @throws AssertionError which names the order that failed */
    static int all(Supplier<? extends Race> races) throws InterruptedException {
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
            boolean both = !first.task.isDone() && !second.task.isDone();
            if (i == order.size()) {
                order.add(first.task.isDone());
            }
            choices.add(both);
            (order.get(i) ? second : first).advance();
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
