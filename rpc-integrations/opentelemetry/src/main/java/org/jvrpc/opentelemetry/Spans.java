package org.jvrpc.opentelemetry;

import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanBuilder;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.semconv.ErrorAttributes;
import io.opentelemetry.semconv.RpcAttributes;
import io.opentelemetry.semconv.ServerAttributes;
import java.util.EnumSet;
import java.util.Set;
import org.jvrpc.api.Status;
import org.jvrpc.api.stub.MethodDescriptor;
import org.jvrpc.runtime.counters.ServerAddress;

/** How spans of calls begin and end, by the semantic conventions of RPC. Stateless; any thread. */
final class Spans {

    static final String SYSTEM = "jvrpc";
    /** Other statuses a server chose to answer with: they are its caller's failures, not its own. */
    private static final Set<Status> OF_SERVER = EnumSet.of(Status.UNKNOWN, Status.DEADLINE_EXCEEDED,
            Status.UNIMPLEMENTED, Status.INTERNAL, Status.UNAVAILABLE, Status.DATA_LOSS);

    private Spans() {
    }

    static SpanBuilder begin(Tracer tracer, SpanKind kind, MethodDescriptor method, ServerAddress server) {
        String name = method.fullName();
        SpanBuilder span = tracer.spanBuilder(name).setSpanKind(kind)
                .setAttribute(RpcAttributes.RPC_SYSTEM_NAME, SYSTEM)
                .setAttribute(RpcAttributes.RPC_METHOD, name);
        if (server.address() != null) {
            span.setAttribute(ServerAttributes.SERVER_ADDRESS, server.address());
        }
        if (server.port() > 0) {
            span.setAttribute(ServerAttributes.SERVER_PORT, (long) server.port());
        }
        return span;
    }

    static void endClient(Span span, Status status, String message) {
        end(span, status, message, status != Status.OK);
    }

    static void endServer(Span span, Status status, String message) {
        end(span, status, message, OF_SERVER.contains(status));
    }

    private static void end(Span span, Status status, String message, boolean failed) {
        try {
            span.setAttribute(RpcAttributes.RPC_STATUS_CODE, status.name());
            if (failed) {
                span.setAttribute(ErrorAttributes.ERROR_TYPE, status.name());
                span.setStatus(StatusCode.ERROR, message == null ? "" : message);
            }
        } catch (Throwable t) {
            Trouble.log("a tracer at the end of a call", t);
        }
        try {
            span.end();
        } catch (Throwable t) {
            Trouble.log("a tracer at the end of a call", t);
        }
    }
}
