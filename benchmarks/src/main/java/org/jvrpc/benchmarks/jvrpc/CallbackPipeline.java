package org.jvrpc.benchmarks.jvrpc;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import org.jvrpc.api.RpcCallback;
import org.jvrpc.benchmarks.harness.Pipeline;

/**
 * Asynchronous calls with callbacks, an object for each place of the window, which makes the next call when its last is
 * answered; the thread polls for the answers.
 */
final class CallbackPipeline implements Pipeline {

    /** The clock is read once in so many polls. */
    private static final int CLOCK_MASK = 15;

    private final BenchServiceAsync stub;
    private final BooleanSupplier poll;
    private final AtomicInteger underWay = new AtomicInteger();
    private volatile boolean stopped;
    private volatile Throwable failure;

    /** @param poll takes answers from the stub's client */
    CallbackPipeline(BenchServiceAsync stub, BooleanSupplier poll) {
        this.stub = stub;
        this.poll = poll;
    }

    /** One place. Its calls are one behind the other, on whichever threads. */
    private final class Lane implements RpcCallback.OfLong {

        private long sent;
        private long answered;

        void next() {
            stub.same(sent++, this);
        }

        @Override
        public void completed(long result, Throwable thrown) {
            if (thrown != null || result != answered) {
                failure = thrown != null ? thrown
                        : new IllegalStateException("wrong answer to call=" + answered + ": " + result);
                stopped = true;
            }
            answered++;
            if (stopped) {
                underWay.decrementAndGet();
            } else {
                next();
            }
        }
    }

    @Override
    public long run(int window, long endNs) {
        Lane[] lanes = new Lane[window];
        stopped = false;
        underWay.set(window);
        for (int i = 0; i < window; i++) {
            lanes[i] = new Lane();
            lanes[i].next();
        }
        for (int polls = 1; underWay.get() > 0; polls++) {
            if (!poll.getAsBoolean()) {
                Thread.onSpinWait();
            }
            if ((polls & CLOCK_MASK) == 0 && System.nanoTime() - endNs >= 0) {
                stopped = true;
            }
        }
        if (failure != null) {
            throw new IllegalStateException("a call of window=" + window + " failed", failure);
        }
        long answered = 0;
        for (Lane lane : lanes) {
            answered += lane.answered;
        }
        return answered;
    }
}
