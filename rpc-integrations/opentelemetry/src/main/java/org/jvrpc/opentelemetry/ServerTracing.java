package org.jvrpc.opentelemetry;

import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanBuilder;
import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.context.Context;
import io.opentelemetry.context.Scope;
import org.jvrpc.api.Metadata;
import org.jvrpc.api.RpcException;
import org.jvrpc.api.ServerContext;
import org.jvrpc.api.ServerInterceptor;
import org.jvrpc.runtime.counters.ServerAddress;

/** Traces the calls of a server, whose handlers run in their span. Any thread. */
final class ServerTracing implements ServerInterceptor {

    private static final String START = "a tracer at the start of a handler";
    private static final String END = "a tracer at the end of a handler";

    private final Tracer tracer;
    private final Sampling roots;
    private final boolean propagatesUnsampled;
    private final LogContext logs;
    private final ServerAddress server;

    ServerTracing(Tracer tracer, Sampling roots, boolean propagatesUnsampled, LogContext logs, ServerAddress server) {
        this.tracer = tracer;
        this.roots = roots;
        this.propagatesUnsampled = propagatesUnsampled;
        this.logs = logs;
        this.server = server;
    }

    @Override
    public boolean intercepts(ServerContext call) {
        if (logs == LogContext.ALL) {
            return true;
        }
        if (!call.hasMetadata()) {
            return roots.takes();
        }
        Metadata metadata = call.metadata();
        String parent = metadata.get(TraceMetadata.PARENT);
        return parent == null ? metadata.get(TraceMetadata.BAGGAGE) != null || roots.takes()
                : TraceMetadata.isSampled(parent) || propagatesUnsampled || metadata.get(TraceMetadata.BAGGAGE) != null;
    }

    @Override
    public void intercept(ServerContext call, Next next) throws Exception {
        Context context = begin(call);
        LogNames names = logs == LogContext.NONE ? null : LogNames.put(call.method(), context, logs);
        Scope scope = Scopes.enter(context, START);
        try {
            next.proceed();
        } catch (Exception | Error e) {
            record(context, e);
            throw e;
        } finally {
            Scopes.leave(scope, END);
            if (names != null) {
                names.restore();
            }
        }
    }

    /** Returns what the handler runs in, with a span where the call is traced; null where the tracer threw. */
    private Context begin(ServerContext call) {
        try {
            Context remote = TraceMetadata.extract(Context.root(), call.metadata());
            SpanContext caller = Span.fromContext(remote).getSpanContext();
            if (caller.isValid() ? !caller.isSampled() : !isRoot(call)) {
                return remote;
            }
            SpanBuilder builder = Spans.begin(tracer, SpanKind.SERVER, call.method(), server);
            if (call.method().oneWay() && caller.isValid()) {
                builder.setNoParent().addLink(caller);
            } else {
                builder.setParent(remote);
            }
            Span span = builder.startSpan();
            if (span.isRecording()) {
                call.whenEnded((status, message) -> Spans.endServer(span, status, message));
            }
            return remote.with(span);
        } catch (Throwable t) {
            Trouble.log(START, t);
            return null;
        }
    }

    /** Decides as {@link #intercepts} did, where that was about nothing else. */
    private boolean isRoot(ServerContext call) {
        Metadata metadata = call.metadata();
        boolean decided = logs != LogContext.ALL && metadata.get(TraceMetadata.PARENT) == null
                && metadata.get(TraceMetadata.BAGGAGE) == null;
        return decided || roots.takes();
    }

    /** What a handler throws that is no status of its choice. */
    private static void record(Context context, Throwable thrown) {
        try {
            if (context != null && !(thrown instanceof RpcException)) {
                Span.fromContext(context).recordException(thrown);
            }
        } catch (Throwable t) {
            Trouble.log(END, t);
        }
    }
}
