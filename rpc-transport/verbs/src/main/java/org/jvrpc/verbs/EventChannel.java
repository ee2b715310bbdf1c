package org.jvrpc.verbs;

/**
 * Where a thread waits: for armed CQs, and for listeners and connections made with it. One thread waits at a time, any
 * thread wakes it.
 */
public interface EventChannel extends AutoCloseable {

    /**
     * Waits until there is an event, {@link #wakeup()} was called, the thread is interrupted, or time is over. Handles
     * what connections need, and lets sends go on that wait for a peer to be ready and report to a CQ of this channel.
     *
     * @param timeoutNs the longest wait in nanoseconds, 0 to look without waiting
     * @return true when there was an event
     */
    boolean await(long timeoutNs);

    /** Ends the wait of now, or the next one. */
    void wakeup();

    /** Ends the channel. Idempotent. */
    @Override
    void close();
}
