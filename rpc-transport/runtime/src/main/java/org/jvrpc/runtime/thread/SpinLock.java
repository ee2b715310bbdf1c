package org.jvrpc.runtime.thread;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.atomic.AtomicInteger;
import org.jvrpc.api.RpcException;
import org.jvrpc.api.Status;

/**
 * The lock of a client's session: reentrant, one compare-and-set to take, one release store to give back, and a count
 * of those who wait, so that a holder who polls can let go. Many threads.
 */
public final class SpinLock {

    private static final int FREE = 0;
    private static final int TAKEN = 1;
    /** Taken, and {@link #owner} is by whom. */
    private static final int OWNED = 2;

    private static final VarHandle STATE;
    private static final int SPINS_BEFORE_YIELD = 200;
    private static final long PARK_NS = 50_000;

    static {
        try {
            STATE = MethodHandles.lookup().findVarHandle(SpinLock.class, "state", int.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final Clock clock;
    private final AtomicInteger waiters = new AtomicInteger();
    private int state;
    /** Who has the lock, or had it last: written when it changes only, for the sake of the collector's barrier. */
    private Thread owner;
    private int holds;

    public SpinLock(Clock clock) {
        this.clock = clock;
    }

    public boolean tryLock() {
        Thread me = Thread.currentThread();
        if ((int) STATE.getOpaque(this) == FREE && STATE.compareAndSet(this, FREE, TAKEN)) {
            if (owner != me) {
                owner = me;
            }
            STATE.setRelease(this, OWNED);
            return true;
        }
        return tryAgain(me);
    }

    /** OWNED was stored after the owner: who finds itself there has the lock, for its own release came later. */
    private boolean tryAgain(Thread me) {
        if ((int) STATE.getAcquire(this) == OWNED && owner == me) {
            holds++;
            return true;
        }
        return false;
    }

    /**
     * Takes the lock.
     *
     * @throws RpcException DEADLINE_EXCEEDED when it cannot be had in time, CANCELLED when the thread is interrupted
     *     while it waits
     */
    public void lock(long limitNs) {
        if (tryLock()) {
            return;
        }
        long startNs = clock.nanoTime();
        waiters.incrementAndGet();
        try {
            for (int spins = 0; !tryLock(); spins++) {
                if (clock.nanoTime() - startNs > limitNs) {
                    throw RpcException.notRun(Status.DEADLINE_EXCEEDED, "the session was in use by another thread for "
                            + limitNs / 1000 + " us");
                }
                if (Thread.currentThread().isInterrupted()) {
                    throw RpcException.notRun(Status.CANCELLED, "interrupted while the session was in use by another"
                            + " thread");
                }
                pause(clock, spins);
            }
        } finally {
            waiters.decrementAndGet();
        }
    }

    /** Takes the lock for what must be done in the end, also by a thread that is interrupted. */
    public void lockUninterruptibly() {
        if (tryLock()) {
            return;
        }
        boolean interrupted = false;
        waiters.incrementAndGet();
        try {
            for (int spins = 0; !tryLock(); spins++) {
                interrupted |= Thread.interrupted(); // or no pause would be one
                pause(clock, spins);
            }
        } finally {
            waiters.decrementAndGet();
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** Spins, then yields, then parks for a moment. */
    public static void pause(Clock clock, int spins) {
        if (spins < SPINS_BEFORE_YIELD) {
            Thread.onSpinWait();
        } else if (spins < 2 * SPINS_BEFORE_YIELD) {
            Thread.yield();
        } else {
            clock.parkNanos(null, PARK_NS);
        }
    }

    /**
     * Leaves the lock to those who wait for it, if there are any, for a moment: whoever lets go to take it again at
     * once is there first, mostly.
     */
    public void giveWay() {
        for (int spins = 0; hasWaiters() && (int) STATE.getOpaque(this) == FREE && spins < 2 * SPINS_BEFORE_YIELD;
                spins++) {
            pause(clock, spins);
        }
    }

    public boolean hasWaiters() {
        return waiters.get() != 0;
    }

    /** Returns true when the next {@link #unlock} lets the lock go. */
    public boolean isOutermost() {
        return holds == 0;
    }

    /** Gives back what one successful take took. */
    public void unlock() {
        if (holds > 0) {
            holds--;
        } else {
            STATE.setRelease(this, FREE);
        }
    }
}
