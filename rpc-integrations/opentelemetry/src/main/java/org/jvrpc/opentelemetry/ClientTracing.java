package org.jvrpc.opentelemetry;

import io.opentelemetry.api.baggage.Baggage;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.context.Context;
import io.opentelemetry.context.ContextStorage;
import io.opentelemetry.context.Scope;
import org.jvrpc.api.ClientContext;
import org.jvrpc.api.ClientInterceptor;
import org.jvrpc.api.RpcContext;
import org.jvrpc.api.stub.MethodDescriptor;
import org.jvrpc.runtime.counters.ServerAddress;

/** Traces the calls of a client, whose other interceptors run in the call's span. Any thread. */
final class ClientTracing implements ClientInterceptor {

    private static final String START = "a tracer at the start of a call";
    private static final String END = "a tracer at the end of a call";

    private final Tracer tracer;
    private final Sampling roots;
    private final boolean propagatesUnsampled;
    private final ServerAddress server;

    ClientTracing(Tracer tracer, Sampling roots, boolean propagatesUnsampled, ServerAddress server) {
        this.tracer = tracer;
        this.roots = roots;
        this.propagatesUnsampled = propagatesUnsampled;
        this.server = server;
    }

    @Override
    public boolean intercepts(MethodDescriptor method) {
        Context context = ContextStorage.get().current();
        if (context == null) { // most threads have none: neither a span nor baggage to look for
            return isRoot();
        }
        Span span = Span.fromContextOrNull(context);
        if (span != null && span.getSpanContext().isValid()) {
            return span.getSpanContext().isSampled() || propagatesUnsampled || hasBaggage(context);
        }
        return isRoot() || hasBaggage(context);
    }

    private boolean isRoot() {
        return roots.takes() && RpcContext.current() == null;
    }

    private static boolean hasBaggage(Context context) {
        Baggage baggage = Baggage.fromContextOrNull(context);
        return baggage != null && !baggage.isEmpty();
    }

    /**
     * The rest of the chain runs in the span, of a synchronous call until its answer is there. A thread that waits for
     * that completes no other calls' futures, but for the client's own, where the dependent of one waits for another.
     */
    @Override
    public void intercept(ClientContext call, Next next) {
        Scope scope = Scopes.enter(begin(call), START);
        try {
            next.proceed();
        } finally {
            Scopes.leave(scope, END);
        }
    }

    /** Returns what the rest of the chain runs in; null where that is what there is, or the tracer threw. */
    private Context begin(ClientContext call) {
        try {
            Context current = Context.current();
            Context context = isTraced(current) ? current.with(span(current, call)) : null;
            TraceMetadata.inject(context == null ? current : context, call.metadata());
            return context;
        } catch (Throwable t) {
            Trouble.log(START, t);
            return null;
        }
    }

    /** Decides as {@link #intercepts} did, which is all that a call without baggage needs. */
    private boolean isTraced(Context context) {
        Span span = Span.fromContextOrNull(context);
        if (span != null && span.getSpanContext().isValid()) {
            return span.getSpanContext().isSampled();
        }
        return !hasBaggage(context) || isRoot();
    }

    private Span span(Context parent, ClientContext call) {
        Span span = Spans.begin(tracer, SpanKind.CLIENT, call.method(), server).setParent(parent).startSpan();
        if (span.isRecording()) {
            call.whenEnded((status, message) -> Spans.endClient(span, status, message));
        }
        return span;
    }
}
