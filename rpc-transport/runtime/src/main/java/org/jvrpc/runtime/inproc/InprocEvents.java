package org.jvrpc.runtime.inproc;

import java.util.concurrent.locks.LockSupport;
import org.jvrpc.runtime.thread.Clock;
import org.jvrpc.runtime.thread.Events;

/** Where a thread waits for what other threads of its process send. */
final class InprocEvents implements Events {

    private final Clock clock;
    private volatile boolean woken;
    private volatile Thread waiter;

    InprocEvents(Clock clock) {
        this.clock = clock;
    }

    @Override
    public void await(long timeoutNs) {
        if (timeoutNs > 0) {
            park(timeoutNs);
        }
        woken = false;
    }

    private void park(long timeoutNs) {
        long startNs = clock.nanoTime();
        long leftNs = timeoutNs;
        waiter = Thread.currentThread();
        while (!woken && leftNs > 0 && !Thread.currentThread().isInterrupted()) {
            clock.parkNanos(this, leftNs);
            leftNs = timeoutNs - (clock.nanoTime() - startNs);
        }
        waiter = null;
    }

    @Override
    public void wakeup() {
        woken = true;
        LockSupport.unpark(waiter);
    }
}
