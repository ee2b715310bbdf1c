package org.jvrpc.samples.kv.rpc;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.jvrpc.testing.history.History;
import org.jvrpc.testing.history.Linearizability;
import org.jvrpc.testing.history.Model;
import org.jvrpc.testing.history.Operation;
import org.jvrpc.testing.history.Register;

/** What clients do with some items at once, and the history of it. */
final class Registers {

    private static final int PERCENT = 100;

    final History history = new History();
    final long seed = Long.getLong("jvrpc.seed", System.nanoTime());
    private final AtomicLong numbers = new AtomicLong();

    private boolean ofOneSize;

    Registers() {
        System.out.println(named());
    }

    String named() {
        return "-Djvrpc.seed=" + seed;
    }

    /** Has nothing be deleted, and all values be of one size class of the store. */
    Registers ofOneSizeWithoutDeletes() {
        ofOneSize = true;
        return this;
    }

    /** Returns a number that nobody has written. */
    long next() {
        long number = numbers.incrementAndGet();
        while (ofOneSize && !Door.isUsual(number)) {
            number = numbers.incrementAndGet();
        }
        return number;
    }

    int count(String kind) {
        return outcomes().getOrDefault(kind, 0);
    }

    /** Returns what a client does next. @param writes in percent */
    static Register.Call choose(SplittableRandom random, int writes, long lastSeen, LongSupplier numbers) {
        if (random.nextInt(PERCENT) >= writes) {
            return new Register.Get();
        }
        return switch (random.nextInt(10)) {
            case 0 -> new Register.Delete();
            case 1, 2 -> new Register.Add(numbers.getAsLong());
            case 3, 4, 5 -> lastSeen < 0 ? new Register.Get()
                    : new Register.Swap(lastSeen, numbers.getAsLong());
            default -> new Register.Set(numbers.getAsLong());
        };
    }

    /** Does one operation, which stays pending when it fails. */
    Object step(Door door, String who, String key, SplittableRandom random, int writes) {
        Register.Call call = choose(random, writes, door.lastSeen(key), this::next);
        return step(door, who, key, call instanceof Register.Delete && ofOneSize ? new Register.Get() : call);
    }

    /** Does one operation, which stays pending when it fails. */
    Object step(Door door, String who, String key, Register.Call call) {
        return history.record(who, key, call, () -> door.apply(key, call));
    }

    /** Does many. */
    void run(Door door, String who, List<String> keys, SplittableRandom random, int operations, int writes) {
        for (int i = 0; i < operations; i++) {
            step(door, who, keys.get(random.nextInt(keys.size())), random, writes);
            if (random.nextInt(16) == 0) {
                Thread.yield(); // or who has a processor does all of its own at a stretch
            }
        }
    }

    /** Has all be done at once, each by a thread. */
    void together(List<Runnable> all) {
        List<CompletableFuture<Void>> running = new ArrayList<>();
        for (Runnable each : all) {
            CompletableFuture<Void> end = new CompletableFuture<>();
            running.add(end);
            new Thread(() -> {
                try {
                    each.run();
                    end.complete(null);
                } catch (Throwable e) {
                    end.completeExceptionally(e);
                }
            }).start();
        }
        Throwable failure = null;
        for (CompletableFuture<Void> each : running) {
            try {
                each.join();
            } catch (CompletionException e) {
                failure = e.getCause();
            }
        }
        if (failure != null) {
            throw new AssertionError(named() + ": " + failure, failure);
        }
    }

    /** Returns how often each kind of call had each kind of answer. */
    Map<String, Integer> outcomes() {
        Map<String, Integer> outcomes = new TreeMap<>();
        for (Operation each : history.operations()) {
            Object answer = each.answer();
            outcomes.merge(each.call().toString().split(" ")[0] + " " + (each.isPending() ? "pending"
                    : answer instanceof Long ? "number" : answer.toString()), 1, Integer::sum);
        }
        return outcomes;
    }

    /** Fails unless the history is linearizable, and has enough of each of some kinds of outcome. */
    void check(Model<?> model, int least, String... kinds) {
        Map<String, Integer> outcomes = outcomes();
        System.out.println(outcomes);
        Linearizability.check(model, history.operations(), named());
        for (String kind : kinds) {
            assertTrue(outcomes.getOrDefault(kind, 0) >= least, kind + " of " + outcomes + " " + named());
        }
    }
}
