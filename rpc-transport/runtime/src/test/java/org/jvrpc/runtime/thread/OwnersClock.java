package org.jvrpc.runtime.thread;

import java.util.function.BooleanSupplier;

/**
 * The time of one thread: it passes when that thread looks at it, or parks, and next to none while the thread waits for
 * another one, which goes on when the machine gives it a processor. For others it stands.
 */
public final class OwnersClock implements Clock {

    private volatile long nowNs;
    private volatile long stepNs = 1000;
    private volatile Thread owner;
    private BooleanSupplier waits = () -> false;

    /**
     * This thread has the time from now on.
     *
     * @param isWaiting whether it waits for another thread; asked by this one
     */
    public void own(BooleanSupplier isWaiting) {
        waits = isWaiting;
        owner = Thread.currentThread();
    }

    /** A look takes so many nanoseconds from now on. */
    public void step(long ns) {
        stepNs = ns;
    }

    @Override
    public long nanoTime() {
        pass(stepNs);
        return nowNs;
    }

    @Override
    public void parkNanos(Object blocker, long ns) {
        pass(Math.max(ns, 0));
    }

    private void pass(long ns) {
        if (Thread.currentThread() != owner) {
            Thread.yield();
        } else if (waits.getAsBoolean()) {
            Thread.yield();
            nowNs = nowNs + 1; // so that every wait ends
        } else {
            nowNs = nowNs + ns;
        }
    }
}
