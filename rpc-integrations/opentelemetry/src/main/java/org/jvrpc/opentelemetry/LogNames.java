package org.jvrpc.opentelemetry;

import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.context.Context;
import org.jvrpc.api.stub.MethodDescriptor;
import org.slf4j.MDC;

/** What a handler's log lines name their call by, in slf4j's MDC, and what stood there before. One thread. */
final class LogNames {

    static final String METHOD = "rpc.method";
    static final String TRACE = "trace_id";
    static final String SPAN = "span_id";

    private final String method;
    private final String trace;
    private final String span;

    private LogNames() {
        this.method = MDC.get(METHOD);
        this.trace = MDC.get(TRACE);
        this.span = MDC.get(SPAN);
    }

    /** Puts the names of a call; returns what puts back what there was, or null where nothing was put. */
    static LogNames put(MethodDescriptor method, Context context, LogContext which) {
        LogNames before = null;
        try {
            SpanContext span = context == null ? SpanContext.getInvalid() : Span.fromContext(context).getSpanContext();
            if (!span.isValid() && which != LogContext.ALL) {
                return null;
            }
            before = new LogNames();
            MDC.put(METHOD, method.fullName());
            set(TRACE, span.isValid() ? span.getTraceId() : null);
            set(SPAN, span.isValid() ? span.getSpanId() : null);
            return before;
        } catch (Throwable t) {
            Trouble.log("the MDC", t);
            return before;
        }
    }

    void restore() {
        try {
            set(METHOD, method);
            set(TRACE, trace);
            set(SPAN, span);
        } catch (Throwable t) {
            Trouble.log("the MDC", t);
        }
    }

    private static void set(String name, String value) {
        if (value == null) {
            MDC.remove(name);
        } else {
            MDC.put(name, value);
        }
    }
}
