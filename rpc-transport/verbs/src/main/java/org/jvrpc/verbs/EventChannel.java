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

    /** Returns true where {@link #notifyOnce} may have the device wait. */
    default boolean notifies() {
        return false;
    }

    /**
     * Has the device look for the next event, so that no thread need wait here meanwhile: {@code owner} is run when a
     * wait would end, by a thread of the device's that serves many channels, so that it must not wait for anything. It
     * is run again a little later if it throws. The next {@link #await} ends that. Whoever waits here otherwise.
     *
     * @return false, with nothing done, where the device does not, or there is something to look at now
     */
    default boolean notifyOnce(Runnable owner) {
        return false;
    }

    /** Ends the channel. Idempotent. */
    @Override
    void close();
}
