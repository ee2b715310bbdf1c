package org.jvrpc.runtime.client;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jvrpc.runtime.thread.Idler;
import org.jvrpc.runtime.thread.SpinLock;

/**
 * A future whose waiters poll the session that its answer comes by, or that of the future it was made from. What
 * depends on a future runs on a thread that waits for one of the same client, or on the client's event thread.
 */
class PolledFuture<R> extends CompletableFuture<R> {

    /** Polls before the first look at the clock, and between two of them. */
    private static final int POLLS_PER_LOOK = 8;
    /** Whatever the idle strategy says, a waiter polls for so long: to wake it takes longer. */
    private static final long LEAST_NS = 50_000;
    /** The answers that come may all be those of others: behind this time they are no reason to go on polling. */
    private static final long LONGEST_NS = 5_000_000;

    private final ClientSession session;

    PolledFuture(ClientSession session) {
        this.session = session;
    }

    final ClientSession session() {
        return session;
    }

    /** Polls until the answer is there, or it is time to sleep. */
    private void pollUntilDone(long limitNs, boolean interruptibly) {
        if (!isDone()) {
            Callbacks.leaveCurrent();
        }
        if (session.client().events().isCurrent()) {
            pollAsEventThread(limitNs, interruptibly);
        } else if (!isDone()) {
            pollByStrategy(limitNs, interruptibly);
        }
    }

    /** The event thread, where something that depends on a future waits for another one: nobody would poll for it. */
    private void pollAsEventThread(long limitNs, boolean interruptibly) {
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

    /** Spins, yields and parks as the idle strategy says; messages begin the wait anew, for a while. */
    private void pollByStrategy(long limitNs, boolean interruptibly) {
        Idler idler = session.client().idlerOfThread();
        long startNs = session.clock().nanoTime();
        long nowNs = startNs;
        while (nowNs - startNs < limitNs && !(interruptibly && Thread.currentThread().isInterrupted())) {
            if (idler.idle(nowNs) && nowNs - startNs >= LEAST_NS) {
                break;
            }
            boolean answers = pollSome();
            if (isDone()) {
                break;
            }
            nowNs = session.clock().nanoTime();
            if (answers && nowNs - startNs < LONGEST_NS) {
                idler.busy();
            }
        }
        idler.busy(); // the next wait of this thread is another one
    }

    /** Polls a few times, while the answer is not there; true when something came. */
    private boolean pollSome() {
        boolean any = false;
        for (int polls = 0; polls < POLLS_PER_LOOK && !isDone(); polls++) {
            any |= poll();
            Thread.onSpinWait(); // after an answer, too: meanwhile more of them come, and one poll takes them all
        }
        return any;
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
