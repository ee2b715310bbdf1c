package org.jvrpc.runtime.health;

import java.time.Duration;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.RejectedExecutionException;
import org.jvrpc.api.CallOptions;
import org.jvrpc.api.RpcException;
import org.jvrpc.api.Status;
import org.jvrpc.api.health.ServingStatus;
import org.jvrpc.runtime.route.ServerLink;
import org.jvrpc.runtime.thread.DaemonPool;
import org.jvrpc.runtime.thread.Environment;

/**
 * Asks a client's servers how they are. Threads of its own begin the calls, as the first one of a connection waits for
 * its service to be opened, and any may wait for a slot; nobody waits for the answers. Any thread.
 */
public final class HealthChecker implements AutoCloseable {

    private static final int THREADS = 8;

    /** Hears what came of a question: a status, or a failure. */
    public interface Listener {

        /** Exactly one of the two is null. A thread of this object's. */
        void answered(ServingStatus status, RpcException failure);
    }

    private final HealthOptions options;
    private final String target;
    private final CallOptions limit;
    private final ExecutorService askers;

    /** @param options what to ask; null for nothing */
    public HealthChecker(HealthOptions options, String target, String name, Environment environment) {
        this.options = options;
        this.target = target;
        this.limit = options == null ? null
                : CallOptions.DEFAULT.withDeadlineAfter(Duration.ofNanos(options.limitNs()));
        this.askers = options == null ? null
                : DaemonPool.make(environment.threads(), THREADS, "jvrpc-health-" + name + "-");
    }

    /** Returns the way to ask by a connection, or null where nobody asks. */
    public HealthProbe probe(ServerLink link) {
        return options == null ? null : new HealthProbe(link, target, limit);
    }

    /** Asks; the listener hears once, unless the client closes. */
    public void ask(HealthProbe probe, Listener listener) {
        try {
            askers.execute(() -> begin(probe, listener));
        } catch (RejectedExecutionException e) {
            // the client closes
        }
    }

    private void begin(HealthProbe probe, Listener listener) {
        try {
            probe.health().check(options.service()).whenCompleteAsync((status, failure) -> listener.answered(
                    failure == null ? status : null, failure == null ? null : asFailure(failure)), askers);
        } catch (RuntimeException e) {
            listener.answered(null, asFailure(e));
        }
    }

    private static RpcException asFailure(Throwable e) {
        Throwable cause = e instanceof CompletionException && e.getCause() != null ? e.getCause() : e;
        return cause instanceof RpcException known ? known
                : RpcException.notRun(Status.INTERNAL, "health cannot be asked for: " + cause, cause);
    }

    @Override
    public void close() {
        if (askers != null) {
            askers.shutdownNow();
        }
    }
}
