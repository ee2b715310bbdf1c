package org.jvrpc.runtime.route;

import java.util.List;
import org.jvrpc.api.CallOptions;
import org.jvrpc.api.stub.ServiceDescriptor;
import org.jvrpc.runtime.balance.ServerStatus;
import org.jvrpc.runtime.invocation.AttemptChannel;

/** What stands behind the front door of a client: one server, or several. Many threads. */
public interface CallCore extends AutoCloseable {

    /**
     * Returns the way to a service, opened where a server is there.
     *
     * @throws org.jvrpc.api.RpcException as the stubs of the client
     */
    AttemptChannel channel(ServiceDescriptor<?> descriptor, CallOptions options);

    /** Returns what the client was connected to. */
    String address();

    /** Returns true while calls find a connection. */
    boolean isConnected();

    /** Returns how each server stands. */
    List<ServerStatus> statuses();

    /** Returns how many calls programs have answered. */
    long offloadedCalls();

    /** Takes answers that have come, and waits a little where none has; true when something came. */
    boolean poll();

    /** Disconnects. Idempotent. */
    @Override
    void close();
}
