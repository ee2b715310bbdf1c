package org.jvrpc.runtime.thread;

/** Where a thread waits for what its links bring, and is woken. One thread waits at a time, any thread wakes it. */
public interface Events {

    /**
     * Waits until there is an event, {@link #wakeup()} was called, the thread is interrupted, or time is over. Handles
     * what connections need.
     *
     * @param timeoutNs the longest wait in nanoseconds, 0 to look without waiting
     */
    void await(long timeoutNs);

    /** Ends the wait of now, or the next one. */
    void wakeup();

    /** Returns true where {@link #notifyOnce} may have something else wait. */
    default boolean notifies() {
        return false;
    }

    /**
     * Has {@code owner} run when a wait would end, by a thread that serves others, too: it must not wait for anything.
     * If it throws it is run again. The next {@link #await} ends that. The thread that waits otherwise.
     *
     * @return false, with nothing done, where that cannot be, or there is something to look at now
     */
    default boolean notifyOnce(Runnable owner) {
        return false;
    }
}
