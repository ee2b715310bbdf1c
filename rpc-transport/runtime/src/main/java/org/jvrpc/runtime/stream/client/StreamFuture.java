package org.jvrpc.runtime.stream.client;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jvrpc.runtime.stream.StreamSession;

/** The result of a call with a stream as argument. The threads that bring it do not wait for it. Any thread. */
final class StreamFuture<R> extends CompletableFuture<R> {

    private final StreamSession session;

    StreamFuture(StreamSession session) {
        this.session = session;
    }

    private void check() {
        if (!isDone()) {
            session.checkMayWait();
        }
    }

    @Override
    public R get() throws InterruptedException, ExecutionException {
        check();
        return super.get();
    }

    @Override
    public R get(long timeout, TimeUnit unit) throws InterruptedException, ExecutionException, TimeoutException {
        check();
        return super.get(timeout, unit);
    }

    @Override
    public R join() {
        check();
        return super.join();
    }

    @Override
    public <U> CompletableFuture<U> newIncompleteFuture() {
        return new StreamFuture<>(session);
    }
}
