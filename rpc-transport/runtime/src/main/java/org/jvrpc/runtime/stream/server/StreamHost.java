package org.jvrpc.runtime.stream.server;

import java.util.concurrent.Executor;
import java.util.function.Consumer;
import org.jvrpc.api.stub.ServerCall;
import org.jvrpc.runtime.guard.Gate;
import org.jvrpc.runtime.guard.Who;
import org.jvrpc.runtime.service.ServiceTable;
import org.jvrpc.runtime.session.Settings;

/** The server whose streams these are. Any thread. */
public interface StreamHost {

    Settings settings();

    ServiceTable services();

    /** Makes what everything passes that comes by one link. @param end told why the link is to end, by any thread */
    Gate gate(long session, Who who, Consumer<String> end);

    /** Returns where heavy methods run. */
    Executor executor();

    /** Runs a handler through the interceptors. */
    void dispatch(ServiceTable.Method method, ServerCall call) throws Throwable;

    /** Returns true when no new calls are taken. */
    boolean isDraining();

    /** Has the control thread do something. */
    void bury(Runnable burial);

    /** Hears the number of a session that ended. */
    void ended(long session);
}
