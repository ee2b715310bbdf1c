/**
 * Tracing by OpenTelemetry's API: interceptors for both sides, by the semantic conventions' names, with W3C
 * {@code traceparent}, {@code tracestate} and {@code baggage} in the metadata of calls. Users make them by
 * {@link org.jvrpc.opentelemetry.JvrpcTracing}.
 *
 * <p>It owns spans and what of them travels and stands in logs; it must never know sessions, transports or an SDK. A
 * tracer that throws is logged, and the call goes on. Threads: spans begin on the thread that calls or runs the handler
 * and end on whichever one ends the call; nothing here waits or has a thread of its own.
 */
package org.jvrpc.opentelemetry;
