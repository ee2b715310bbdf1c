package org.jvrpc.opentelemetry;

/** Which handlers have {@code rpc.method}, {@code trace_id} and {@code span_id} in slf4j's MDC while they run. */
public enum LogContext {
    /** None. */
    NONE,
    /** Those of calls with a span; the default. */
    TRACED,
    /**
     * All, those without a span with {@code rpc.method} alone. Each call has an interceptor then, and pays for what
     * that and the MDC take.
     */
    ALL
}
