package org.jvrpc.verbs;

/** A name at which peers connect. Any thread. */
public interface Listener extends AutoCloseable {

    /** Returns the address. */
    String address();

    /** Returns the next one who wants to connect, or null. New ones are noticed inside {@link EventChannel#await}. */
    ConnectionRequest poll();

    /**
     * Gives the name free. Those who want to connect and were not polled are told that nobody listens, see
     * {@link ConnectionException.Reason#UNREACHABLE}. Idempotent.
     */
    @Override
    void close();
}
