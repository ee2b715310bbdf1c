package org.jvrpc.runtime.sim;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiConsumer;
import org.jvrpc.api.RpcCallback;
import org.jvrpc.runtime.sim.world.Violation;

/**
 * Calls with callbacks: some begin, and each callback makes the next two, until there are so many. Callbacks run on any
 * thread, and on several where one waits in a call.
 */
final class CallbackChain {

    /** A call, and what it was answered. */
    record Answered(long call, long answer) {
    }

    /** How a call ended. */
    private record End(Answered answered, Throwable failure) {
    }

    private final LedgerAsync async;
    private final long first;
    private final int beginning;
    private final int calls;
    private final List<End> ends = new ArrayList<>();
    private final CompletableFuture<Void> over = new CompletableFuture<>();
    private int made;
    private int under;

    /** @param first number of the first call */
    CallbackChain(LedgerAsync async, long first, int beginning, int calls) {
        this.async = async;
        this.first = first;
        this.beginning = beginning;
        this.calls = calls;
    }

    int calls() {
        return calls;
    }

    void begin() {
        for (int i = 0; i < beginning; i++) {
            next();
        }
        endIfOver();
    }

    boolean isOver() {
        return over.isDone();
    }

    private void next() {
        long number;
        synchronized (this) {
            if (made == calls) {
                return;
            }
            number = first + made++;
            under++;
        }
        try {
            async.light(number, new OfOneCall(number));
        } catch (Throwable t) {
            ended(new End(new Answered(number, 0), t));
        }
    }

    private synchronized void ended(End end) {
        ends.add(end);
        under--;
    }

    private void endIfOver() {
        boolean all;
        synchronized (this) {
            all = under == 0;
        }
        if (all) {
            over.complete(null);
        }
    }

    /** Hears of one call, once. */
    private final class OfOneCall implements RpcCallback.OfLong {

        private final long number;
        private boolean called;

        OfOneCall(long number) {
            this.number = number;
        }

        @Override
        public void completed(long result, Throwable failure) {
            if (called) {
                over.completeExceptionally(new Violation("callback of call " + number + " was called again"));
                return;
            }
            called = true;
            next();
            next();
            ended(new End(new Answered(number, result), failure));
            endIfOver();
        }
    }

    /** Waits until all have ended, and says how. */
    void await(BiConsumer<Answered, Throwable> each) {
        over.join();
        List<End> all;
        synchronized (this) {
            all = List.copyOf(ends);
        }
        all.forEach(end -> each.accept(end.answered(), end.failure()));
    }
}
