package org.jvrpc.runtime.client;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * A future whose waiters poll the session that its answer comes by, or that of the future it was made from. What
 * depends on a future runs on a thread that waits for one of the same client, or on the client's event thread.
 */
class PolledFuture<R> extends CompletableFuture<R> {

    private static final int SPINS = 2000;
    private static final int MAX_LOOKS = 50_000;

    private final ClientSession session;

    PolledFuture(ClientSession session) {
        this.session = session;
    }

    final ClientSession session() {
        return session;
    }

    /** Polls; goes on while there are answers, but not for ever: they may all be those of others. */
    private void pollUntilDone() {
        int looks = 0;
        for (int spins = 0; spins < SPINS && looks < MAX_LOOKS && !isDone(); spins++, looks++) {
            if (session.tryPollForFutures()) {
                spins = 0;
            }
            Thread.onSpinWait(); // after an answer, too: meanwhile more of them come, and one poll takes them all
        }
    }

    @Override
    public R join() {
        pollUntilDone();
        return super.join();
    }

    @Override
    public R get() throws InterruptedException, ExecutionException {
        pollUntilDone();
        return super.get();
    }

    @Override
    public R get(long timeout, TimeUnit unit) throws InterruptedException, ExecutionException, TimeoutException {
        if (unit.toMillis(timeout) > 0) {
            pollUntilDone();
        }
        return super.get(timeout, unit);
    }

    @Override
    public <U> CompletableFuture<U> newIncompleteFuture() {
        return new PolledFuture<>(session);
    }
}
