package org.jvrpc.runtime.thread;

import java.util.concurrent.locks.LockSupport;

/** The time that a client or a server lives by, monotonic, in nanoseconds, and how its threads let some of it pass. */
@FunctionalInterface
public interface Clock {

    /** The system's. */
    Clock SYSTEM = System::nanoTime;

    long nanoTime();

    /** Returns the milliseconds since 1970, for people. */
    static long epochMillis() {
        return System.currentTimeMillis();
    }

    /**
     * Parks this thread until so much time has passed, or as {@link LockSupport#park(Object)} ends.
     *
     * @param blocker what it waits for, for those who look at stacks
     */
    default void parkNanos(Object blocker, long ns) {
        LockSupport.parkNanos(blocker, ns);
    }
}
