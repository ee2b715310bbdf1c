package org.jvrpc.ibverbs.core;

/** A file descriptor that an {@link RdmaEventChannel} watches. Called by the thread that waits. */
public interface EventSource {

    /** Returns the file descriptor, which does not block. */
    int fd();

    /**
     * Takes what is there to be read. Never blocks, never throws.
     *
     * @return true when it is what the waiting thread waits for
     */
    boolean handle();

    /** Called once when the channel closes. Any thread. */
    default void channelClosed() {
    }
}
