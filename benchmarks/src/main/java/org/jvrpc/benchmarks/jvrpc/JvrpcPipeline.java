package org.jvrpc.benchmarks.jvrpc;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jvrpc.benchmarks.harness.Pipeline;

/** Asynchronous calls in a ring of futures: the oldest is joined and its place filled anew. */
final class JvrpcPipeline implements Pipeline {

    /** The clock is read once in so many calls. */
    private static final int CLOCK_MASK = 15;

    private final BenchServiceAsync stub;
    private long sent;
    private long answered;

    JvrpcPipeline(BenchServiceAsync stub) {
        this.stub = stub;
    }

    @Override
    public long run(int window, long endNs) {
        long before = answered;
        List<CompletableFuture<Long>> ring = new ArrayList<>(Collections.nCopies(window, null));
        for (int i = 0; i < window; i++) {
            ring.set(i, stub.same(sent++));
        }
        int at = 0;
        while ((answered & CLOCK_MASK) != 0 || System.nanoTime() < endNs) {
            take(ring.get(at));
            ring.set(at, stub.same(sent++));
            at = at + 1 == window ? 0 : at + 1;
        }
        for (int i = 0; i < window; i++) {
            take(ring.get(at));
            at = at + 1 == window ? 0 : at + 1;
        }
        return answered - before;
    }

    private void take(CompletableFuture<Long> future) {
        long answer = future.join();
        if (answer != answered) {
            throw new IllegalStateException("wrong answer to call=" + answered + ": " + answer);
        }
        answered++;
    }
}
