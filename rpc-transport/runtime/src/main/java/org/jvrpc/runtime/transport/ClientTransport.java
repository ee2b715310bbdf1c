package org.jvrpc.runtime.transport;

import org.jvrpc.runtime.session.Hello;
import org.jvrpc.runtime.thread.Events;
import org.jvrpc.verbs.Device;

/** What a client of whatever protocol connects by to its server. One thread at a time connects. */
public interface ClientTransport extends AutoCloseable {

    /** Returns where a thread waits for all links. */
    Events events();

    /** Returns the device, by which lookups go; null where there is none. */
    Device device();

    /** Returns true when it is gone for good. */
    boolean isLost();

    /** Returns true when nobody reads what it carries but the server: it is encrypted, or stays on this host. */
    default boolean isPrivate() {
        return false;
    }

    /** Returns a name for messages. */
    String name();

    /** Returns what is wrong with it, for a message; empty when nothing is known. */
    String trouble();

    /** As {@link #connect(Hello, long, Runnable)}, with nothing to be done meanwhile. */
    default Connected connect(Hello asked, long timeoutNs) {
        return connect(asked, timeoutNs, () -> { });
    }

    /**
     * Connects to the server.
     *
     * @param meanwhile done by this thread, while it waits for the server's answer where that can be
     * @throws org.jvrpc.api.RpcException with the status and text of a server that refuses
     * @throws org.jvrpc.verbs.VerbsException when there is none, or no memory here
     */
    Connected connect(Hello asked, long timeoutNs, Runnable meanwhile);

    @Override
    void close();
}
