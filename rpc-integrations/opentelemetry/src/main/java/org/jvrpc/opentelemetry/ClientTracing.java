package org.jvrpc.opentelemetry;

import io.opentelemetry.api.baggage.Baggage;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.context.Context;
import io.opentelemetry.context.ContextStorage;
import org.jvrpc.api.ClientContext;
import org.jvrpc.api.ClientInterceptor;
import org.jvrpc.api.RpcContext;
import org.jvrpc.api.stub.MethodDescriptor;
import org.jvrpc.runtime.counters.ServerAddress;

/** Traces the calls of a client. Any thread. */
final class ClientTracing implements ClientInterceptor {

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
     * The span is not made the current one of the thread: it may complete other calls' futures while it waits, whose
     * dependents are no part of this one.
     */
    @Override
    public void intercept(ClientContext call, Next next) {
        try {
            Context context = Context.current();
            TraceMetadata.inject(isTraced(context) ? begin(context, call) : context, call.metadata());
        } catch (Throwable t) {
            Trouble.log("a tracer at the start of a call", t);
        }
        next.proceed();
    }

    /** Decides as {@link #intercepts} did, which is all that a call without baggage needs. */
    private boolean isTraced(Context context) {
        Span span = Span.fromContextOrNull(context);
        if (span != null && span.getSpanContext().isValid()) {
            return span.getSpanContext().isSampled();
        }
        return !hasBaggage(context) || isRoot();
    }

    private Context begin(Context parent, ClientContext call) {
        Span span = Spans.begin(tracer, SpanKind.CLIENT, call.method(), server).setParent(parent).startSpan();
        if (span.isRecording()) {
            call.whenEnded((status, message) -> Spans.endClient(span, status, message));
        }
        return parent.with(span);
    }
}
