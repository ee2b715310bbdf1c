package org.jvrpc.runtime.contract.beside;

import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Flow;
import org.jvrpc.api.stream.StreamReader;
import org.jvrpc.api.stream.Streams;

/** Plays tapes and records them. */
final class TapeImpl implements Tape {

    /** Runs in each handler, and returns what is played. */
    volatile Callable<Flow.Publisher<Long>> script;
    /** A recording that breaks off is one, too. */
    volatile boolean forgives;
    /** How the argument of the last call failed, as its handler saw it. */
    final CompletableFuture<Throwable> heard = new CompletableFuture<>();

    private Flow.Publisher<Long> run() throws TornException {
        try {
            return script.call();
        } catch (RuntimeException | TornException e) {
            throw e;
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    @Override
    public Flow.Publisher<Long> play() throws TornException {
        return run();
    }

    @Override
    public Flow.Publisher<Long> playHeavily() {
        try {
            return run();
        } catch (TornException e) {
            throw new AssertionError(e);
        }
    }

    @Override
    public long record(Flow.Publisher<Long> values) throws TornException {
        run();
        long sum = 0;
        try (StreamReader.OfLong reader = Streams.longReader(values)) {
            while (reader.hasNext()) {
                sum += reader.nextLong();
            }
        } catch (RuntimeException e) {
            heard.complete(e);
            if (!forgives) {
                throw e;
            }
        }
        return sum;
    }

    @Override
    public CompletableFuture<Long> recordLater(Flow.Publisher<Long> values) {
        try {
            run();
        } catch (TornException e) {
            throw new AssertionError(e);
        }
        Sum sum = new Sum();
        values.subscribe(sum);
        sum.total.exceptionally(e -> {
            heard.complete(e);
            return 0L;
        });
        return sum.total;
    }
}
