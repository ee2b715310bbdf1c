package org.jvrpc.runtime.stream;

import java.util.concurrent.locks.LockSupport;

/** What a thread waits for, which polls its session meanwhile or sleeps. One thread waits, any thread wakes it. */
abstract class Blocker {

    private volatile Thread sleeper;

    /** Returns true when there is nothing to wait for any more. */
    abstract boolean isReady();

    /** There is nothing at once: what the wait depends on may be done here. */
    void idle() {
        // nothing
    }

    /** It may be ready now; called after what makes it so. */
    final void wake() {
        Thread asleep = sleeper;
        if (asleep != null) {
            LockSupport.unpark(asleep);
        }
    }

    /** Sleeps until it is woken, so long at most. The one that waits. */
    final void sleep(long limitNs) {
        sleeper = Thread.currentThread();
        if (!isReady()) {
            LockSupport.parkNanos(this, limitNs);
        }
        sleeper = null;
    }
}
