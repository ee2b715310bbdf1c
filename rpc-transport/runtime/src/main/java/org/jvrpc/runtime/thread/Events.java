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
}
