package org.jvrpc.benchmarks.harness;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Consumer;

/** Contenders that take turns. One that fails is reported, ended and left out from then on. */
public final class Contest implements AutoCloseable {

    /** A JVM that starts keeps two processors busy; with fewer for each, what has a time limit might miss it. */
    private static final int STARTED_AT_ONCE = Math.min(2, Math.max(1, Runtime.getRuntime().availableProcessors() / 2));

    private final Run run;
    private final Consumer<String> failures;
    private final List<Pair> pairs = new ArrayList<>();

    /** What a contender does in its turn. */
    @FunctionalInterface
    public interface Turn {
        /** Acts while the pair, and no other, runs. */
        void take(Pair pair) throws ContenderException;
    }

    private Contest(Run run, Consumer<String> failures) {
        this.run = run;
        this.failures = failures;
    }

    /**
     * Starts the processes of all contenders and stops each until its turn.
     *
     * @param clientCount client processes of each
     * @param failures is told of each failure, in words
     */
    public static Contest start(Run run, List<Contender> contenders, int clientCount, Consumer<String> failures) {
        Contest contest = new Contest(run, failures);
        ExecutorService starters = Executors.newFixedThreadPool(STARTED_AT_ONCE);
        try {
            List<Future<Pair>> starting = contenders.stream()
                    .map(contender -> starters.submit(() -> startStopped(run, contender, clientCount)))
                    .toList();
            for (int i = 0; i < starting.size(); i++) {
                contest.join(contenders.get(i), starting.get(i));
            }
        } finally {
            starters.shutdownNow();
        }
        return contest;
    }

    private static Pair startStopped(Run run, Contender contender, int clientCount) throws ContenderException {
        Pair pair = Pair.start(run, contender, clientCount);
        pair.stop();
        return pair;
    }

    private void join(Contender contender, Future<Pair> starting) {
        try {
            pairs.add(starting.get());
        } catch (ExecutionException e) {
            failures.accept(reason(contender, e.getCause()));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            failures.accept(contender.name() + ": interrupted");
        }
    }

    private static String reason(Contender contender, Throwable thrown) {
        return thrown instanceof ContenderException ? thrown.getMessage() : contender.name() + ": " + thrown;
    }

    /** Gives each contender a turn. */
    public void round(Turn turn) {
        for (Iterator<Pair> it = pairs.iterator(); it.hasNext();) {
            Pair pair = it.next();
            pair.resume();
            try {
                turn.take(pair);
                pair.stop();
            } catch (ContenderException | RuntimeException e) {
                failures.accept(reason(pair.contender(), e));
                it.remove();
                pair.close();
            }
        }
    }

    /** Returns the pair of a contender, or null when it does not take part or has failed. */
    public Pair pair(String name) {
        for (Pair pair : pairs) {
            if (pair.contender().name().equals(name)) {
                return pair;
            }
        }
        return null;
    }

    /** Returns true when nobody is left. */
    public boolean isEmpty() {
        return pairs.isEmpty();
    }

    @Override
    public void close() {
        pairs.forEach(Pair::close);
        pairs.clear();
    }
}
