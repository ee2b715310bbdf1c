package org.jvrpc.runtime.route;

import org.jvrpc.runtime.invocation.AttemptChannel;

/** A channel to one server. What {@code begin} throws tells of calls that were not sent. Many threads. */
public interface BoundChannel extends AttemptChannel {

    /**
     * Opens the service on the server, which the first call does where it is not done before.
     *
     * @throws org.jvrpc.api.RpcException UNIMPLEMENTED when the server has no such service, FAILED_PRECONDITION when
     *     its interface differs
     */
    void open();
}
