package org.jvrpc.runtime.client;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jvrpc.runtime.thread.SpinLock;

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

    /**
     * Polls; goes on while there are answers, but not for ever: they may all be those of others. Only the event thread,
     * where something that depends on a future waits for another one, stays: nobody would poll in its place.
     */
    private void pollUntilDone(long limitNs, boolean interruptibly) {
        if (session.client().events().isCurrent()) {
            long startNs = session.clock().nanoTime();
            for (int spins = 0; !isDone() && session.clock().nanoTime() - startNs < limitNs; spins++) {
                if (interruptibly && Thread.currentThread().isInterrupted()) {
                    return;
                }
                spins = poll() ? 0 : spins;
                session.client().events().lookAfter(session);
                SpinLock.pause(session.clock(), spins);
            }
        }
        int looks = 0;
        for (int spins = 0; spins < SPINS && looks < MAX_LOOKS && !isDone(); spins++, looks++) {
            if (poll()) {
                spins = 0;
            }
            Thread.onSpinWait(); // after an answer, too: meanwhile more of them come, and one poll takes them all
        }
    }

    /** Runs what depends on the futures that were answered: one of them may be what this one was made from. */
    private boolean poll() {
        session.attendance().countPoll();
        session.client().events().publishWaiting();
        return session.tryPoll(ClientEvents.Where.HERE);
    }

    /** This thread sleeps, or is awake again: else the event thread would leave the polling to it for a moment more. */
    private void sleeps(boolean asleep) {
        session.sleeps(asleep);
        if (asleep) {
            session.client().events().wake();
        }
    }

    @Override
    public R join() {
        pollUntilDone(Long.MAX_VALUE, false);
        if (isDone()) {
            return super.join();
        }
        sleeps(true);
        try {
            return super.join();
        } finally {
            sleeps(false);
        }
    }

    @Override
    public R get() throws InterruptedException, ExecutionException {
        pollUntilDone(Long.MAX_VALUE, true);
        if (isDone()) {
            return super.get();
        }
        sleeps(true);
        try {
            return super.get();
        } finally {
            sleeps(false);
        }
    }

    @Override
    public R get(long timeout, TimeUnit unit) throws InterruptedException, ExecutionException, TimeoutException {
        if (unit.toMillis(timeout) > 0) {
            pollUntilDone(unit.toNanos(timeout), true);
        }
        if (isDone()) {
            return super.get(timeout, unit);
        }
        sleeps(true);
        try {
            return super.get(timeout, unit);
        } finally {
            sleeps(false);
        }
    }

    @Override
    public <U> CompletableFuture<U> newIncompleteFuture() {
        return new PolledFuture<>(session);
    }
}
