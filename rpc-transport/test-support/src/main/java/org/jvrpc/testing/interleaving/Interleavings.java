package org.jvrpc.testing.interleaving;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/**
 * Runs two threads, or three, through every order of their steps, or through those with few preemptions. A thread stops
 * before each step and goes on alone; so memory is as by sequential consistency, and what fences are for is not tested.
 * Where a step is, sources say that {@link SteppedClasses} changes, or the race itself.
 */
public final class Interleavings {

    /** As many preemptions as there may be: every order. */
    public static final int EVERY_ORDER = Integer.MAX_VALUE;

    /** More is a loop that does not wait. */
    private static final int MOST_STEPS = 10_000;
    private static final ThreadLocal<Runner> CURRENT = new ThreadLocal<>();
    private static final ExecutorService THREADS = Executors.newCachedThreadPool(body -> {
        Thread thread = new Thread(body, "interleaved");
        thread.setDaemon(true);
        return thread;
    });

    private Interleavings() {
    }

    /** What two threads do to one object, made anew for each order. */
    public interface Race {

        void first();

        void second();

        /** Looks at what has become of it. */
        void end();
    }

    /** The same of three threads. */
    public interface RaceOfThree extends Race {

        void third();
    }

    /** The next access to shared memory is a step of its own, where this thread is one of a race. */
    public static <T> T step(T target) {
        Runner runner = CURRENT.get();
        if (runner != null && !runner.order.choosing) {
            runner.order.pass(runner);
        }
        return target;
    }

    /**
     * The next step comes when the others have made this so. For loops that wait: a turn that finds nothing new is
     * none. The condition is looked at between steps, whatever it reads.
     */
    public static void await(BooleanSupplier condition) {
        Runner runner = CURRENT.get();
        if (runner != null) {
            runner.awaited = condition;
            runner.order.pass(runner);
            runner.awaited = null;
        } else if (!condition.getAsBoolean()) {
            throw new AssertionError("waits for what nobody does any more");
        }
    }

    /** Runs each order once; returns how many there are. @throws AssertionError which names the order that failed */
    public static int all(Supplier<? extends Race> races) throws InterruptedException {
        return all(races, EVERY_ORDER);
    }

    /**
     * Runs once each order with at most so many preemptions, which are turns that a thread loses while it could go on.
     * A fault that needs more of them is not found.
     *
     * @return how many there are
     * @throws AssertionError which names the order that failed
     */
    public static int all(Supplier<? extends Race> races, int preemptions) throws InterruptedException {
        List<Fork> forks = new ArrayList<>();
        int count = 0;
        do {
            count++;
            Order order = new Order(races.get(), forks, preemptions);
            try {
                order.run();
            } catch (AssertionError e) {
                String turns = forks.subList(0, Math.min(forks.size(), 100)).toString();
                throw new AssertionError("order " + count + ", threads in turn " + turns + ": " + e.getMessage(), e);
            }
        } while (next(forks));
        return count;
    }

    /** Goes on to the next order; false after the last. */
    private static boolean next(List<Fork> forks) {
        while (!forks.isEmpty()) {
            Fork last = forks.get(forks.size() - 1);
            if (++last.taken < last.threads.size()) {
                return true;
            }
            forks.remove(forks.size() - 1);
        }
        return false;
    }

    /** A step: those who can take it, and who does in this order. */
    private static final class Fork {

        final List<Integer> threads;
        int taken;

        Fork(List<Integer> threads) {
            this.threads = threads;
        }

        int thread() {
            return threads.get(taken);
        }

        @Override
        public String toString() {
            return Integer.toString(thread() + 1);
        }
    }

    /** One thread of a race. What it has, whoever has the turn reads and writes. */
    private static final class Runner implements Runnable {

        final Order order;
        final Semaphore go = new Semaphore(0);
        private final Runnable body;
        BooleanSupplier awaited;
        boolean done;

        Runner(Order order, Runnable body) {
            this.order = order;
            this.body = body;
        }

        @Override
        public void run() {
            CURRENT.set(this);
            try {
                go.acquireUninterruptibly();
                body.run();
                done = true;
                order.pass(this);
            } catch (Throwable t) { // the others stand where they are for ever
                order.end(t);
            } finally {
                CURRENT.remove();
            }
        }

        boolean canStep() {
            return !done && (awaited == null || awaited.getAsBoolean());
        }
    }

    /** A race that is run once. */
    private static final class Order {

        private final Race race;
        private final List<Runner> runners = new ArrayList<>();
        private final List<Fork> forks;
        private final Semaphore over = new Semaphore(0);
        private int preemptions;
        private int steps;
        private int last;
        private Throwable failure;
        boolean choosing;

        Order(Race race, List<Fork> forks, int preemptions) {
            this.race = race;
            this.forks = forks;
            this.preemptions = preemptions;
            runners.add(new Runner(this, race::first));
            runners.add(new Runner(this, race::second));
            if (race instanceof RaceOfThree ofThree) {
                runners.add(new Runner(this, ofThree::third));
            }
        }

        void run() throws InterruptedException {
            runners.forEach(THREADS::execute);
            pass(null);
            over.acquire();
            if (failure != null) {
                throw new AssertionError(failure.toString(), failure);
            }
            race.end();
        }

        void end(Throwable why) {
            failure = why;
            over.release();
        }

        /** Gives the turn to whoever is next in this order; returns when it is the caller's again, if that goes on. */
        void pass(Runner from) {
            Runner next = choose();
            if (next == from) {
                return;
            }
            if (next != null) {
                next.go.release();
            }
            if (from != null && !from.done) {
                from.go.acquireUninterruptibly();
            }
        }

        /** Returns who steps next; null when that is nobody, and this is over. */
        private Runner choose() {
            choosing = true;
            List<Integer> can = new ArrayList<>();
            for (int i = 0; i < runners.size(); i++) {
                int thread = (last + i) % runners.size();
                if (runners.get(thread).canStep()) {
                    can.add(thread);
                }
            }
            choosing = false;
            if (can.isEmpty() || steps == MOST_STEPS) {
                boolean done = runners.stream().allMatch(runner -> runner.done);
                end(done ? null : new AssertionError(can.isEmpty()
                        ? "each waits for what the others do" : "it does not end"));
                return null;
            }
            boolean goesOn = steps > 0 && can.get(0) == last;
            take(goesOn && preemptions == 0 ? can.subList(0, 1) : can);
            int now = forks.get(steps++).thread();
            preemptions -= goesOn && now != last ? 1 : 0;
            last = now;
            return runners.get(now);
        }

        private void take(List<Integer> can) {
            if (steps == forks.size()) {
                forks.add(new Fork(can));
            } else if (!forks.get(steps).threads.equals(can)) {
                throw new AssertionError("the race is another one each time: " + can + " at step " + steps);
            }
        }
    }
}
