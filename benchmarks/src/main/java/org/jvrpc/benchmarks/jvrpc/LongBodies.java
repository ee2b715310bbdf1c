package org.jvrpc.benchmarks.jvrpc;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.CompletableFuture;
import org.jvrpc.benchmarks.harness.Pipeline;

/** Asynchronous echoes of a long body, so many at once. */
final class LongBodies implements Pipeline {

    private final BenchServiceAsync stub;
    private final byte[] body;

    LongBodies(BenchServiceAsync stub, int bytes) {
        this.stub = stub;
        this.body = new byte[bytes];
    }

    @Override
    public long run(int window, long endNs) {
        Deque<CompletableFuture<byte[]>> under = new ArrayDeque<>();
        long answered = 0;
        while (System.nanoTime() < endNs) {
            while (under.size() < window) {
                under.add(stub.echo(body));
            }
            if (under.remove().join().length != body.length) {
                throw new IllegalStateException("wrong length");
            }
            answered++;
        }
        under.forEach(CompletableFuture::join);
        return answered + window;
    }
}
