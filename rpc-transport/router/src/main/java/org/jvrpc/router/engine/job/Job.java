package org.jvrpc.router.engine.job;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.jvrpc.router.Refusal;
import org.jvrpc.router.RefusedException;

/**
 * What another thread has the worker do between two rounds. Whoever waits for it too long takes it back, if it has not
 * begun: it is done, or not, and never later.
 *
 * @param <D> devices
 * @param <T> its result
 */
public final class Job<D, T> {

    private static final int WAITING = 0;
    private static final int BEGUN = 1;
    private static final int TAKEN_BACK = 2;
    private static final long PATIENCE_NS = 5_000_000_000L;

    private final Supplier<T> work;
    private final D device;
    private final AtomicInteger state = new AtomicInteger();
    private final CountDownLatch done = new CountDownLatch(1);
    private T result;
    private RuntimeException failure;

    Job(D device, Supplier<T> work) {
        this.device = device;
        this.work = work;
    }

    /** Returns the device whose memory it may touch; null for none. */
    public D device() {
        return device;
    }

    /** Does it. @throws InternalError when memory that it touches is gone; who waits is told */
    public void run() {
        if (!state.compareAndSet(WAITING, BEGUN)) {
            return;
        }
        try {
            result = work.get();
        } catch (RuntimeException e) {
            failure = e;
        } catch (OutOfMemoryError e) {
            failure = new RefusedException(Refusal.NO_MEMORY, "device=" + device + " the router has no memory: " + e);
        } catch (InternalError e) {
            failure = new RefusedException(Refusal.FOLDER, "device=" + device + " memory is gone: " + e.getMessage());
            throw e;
        } finally {
            done.countDown();
        }
    }

    /** Waits for the result. @throws RefusedException BUSY when the worker does not come to it */
    T await() {
        boolean interrupted = false;
        long endNs = System.nanoTime() + PATIENCE_NS;
        try {
            while (true) {
                try {
                    if (!done.await(endNs - System.nanoTime(), TimeUnit.NANOSECONDS)
                            && state.compareAndSet(WAITING, TAKEN_BACK)) {
                        throw new RefusedException(Refusal.BUSY, "device=" + device + " the worker has no time in ms="
                                + PATIENCE_NS / 1_000_000);
                    }
                    done.await(); // it has begun, and what it does is short
                    break;
                } catch (InterruptedException e) {
                    interrupted = true;
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
        if (failure != null) {
            throw failure;
        }
        return result;
    }
}
