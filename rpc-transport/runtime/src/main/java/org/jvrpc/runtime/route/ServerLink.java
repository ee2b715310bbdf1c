package org.jvrpc.runtime.route;

import org.jvrpc.api.CallOptions;
import org.jvrpc.api.stub.ServiceDescriptor;
import org.jvrpc.api.wire.ObjectCodec;

/** A client's connection to one of several servers, which does not come back when it is lost. Many threads. */
public interface ServerLink extends AutoCloseable {

    /**
     * Returns the way to a service, which is not opened.
     *
     * @param objects of the service; the same for all servers of a client, where their versions are the same
     */
    BoundChannel unopened(ServiceDescriptor<?> service, ObjectCodec objects, CallOptions options);

    /** Returns false once it is lost, or takes no new calls. */
    boolean isConnected();

    /** Returns how many calls are in flight, without those of sessions that take no new ones. */
    int inFlight();

    /** Takes no new calls from now on; those in flight go on. Idempotent. */
    void leave();

    /** Returns true when, after its loss or {@link #leave}, no call is in flight any more. */
    boolean isDrained();

    /** Takes answers that have come, without waiting; true when something came. */
    boolean takeAnswers();

    /** Returns how many calls programs have answered. */
    long offloadedCalls();

    /** Ends it; calls in flight fail. Idempotent. */
    @Override
    void close();
}
