package org.jvrpc.runtime.stream.server;

import java.util.concurrent.Executor;
import java.util.function.Consumer;
import org.jvrpc.api.RpcContext;
import org.jvrpc.api.RpcException;
import org.jvrpc.runtime.SessionLimits;
import org.jvrpc.runtime.counters.write.Endpoint;
import org.jvrpc.runtime.guard.Gate;
import org.jvrpc.runtime.guard.Who;
import org.jvrpc.runtime.service.HandledCall;
import org.jvrpc.runtime.service.ServiceTable;
import org.jvrpc.runtime.session.Settings;

/** The server whose streams these are. Any thread. */
public interface StreamHost {

    Settings settings();

    /** Returns what clients may cost it. */
    SessionLimits limits();

    ServiceTable services();

    /** Returns where calls are counted; null where they are not. */
    default Endpoint counters() {
        return null;
    }

    /** Makes what everything passes that comes by one link. @param end told why the link is to end, by any thread */
    Gate gate(long session, Who who, Consumer<String> end);

    /** Returns where users are told who may wait. */
    Executor executor();

    /** Makes the place of a session's heavy calls in the queue for the executor. */
    Line newLine();

    /** What a session has wait for the executor, beside what others have: they take turns. Any thread. */
    @FunctionalInterface
    interface Line {

        /**
         * Has something run in its turn.
         *
         * @param refused told instead where it cannot run after all
         * @throws RpcException UNAVAILABLE when the executor takes no more, RESOURCE_EXHAUSTED when too
         *     many calls wait: it does not run then
         */
        Place execute(Runnable work, Consumer<RpcException> refused);
    }

    /** What waits in a line. Any thread. */
    @FunctionalInterface
    interface Place {

        /** It is not to run any more, if it does not yet. Idempotent. */
        void leave();
    }

    /** Runs a handler through the interceptors. @param own what the calls know that it makes */
    void dispatch(RpcContext own, ServiceTable.Method method, HandledCall call) throws Throwable;

    /** Returns true when no new calls are taken. */
    boolean isDraining();

    /** Has the control thread do something. */
    void bury(Runnable burial);

    /** Hears the number of a session that ended. */
    void ended(long session);
}
