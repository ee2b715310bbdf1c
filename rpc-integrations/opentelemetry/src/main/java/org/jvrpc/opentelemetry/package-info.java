/**
 * Tracing by OpenTelemetry's API: interceptors for both sides, by the semantic conventions' names, with W3C
 * {@code traceparent}, {@code tracestate} and {@code baggage} in the metadata of calls. Users make them by
 * {@link org.jvrpc.opentelemetry.JvrpcTracing}. What is counted, as metrics, is
 * {@link org.jvrpc.opentelemetry.JvrpcMetricProducer}'s, which alone needs the SDK.
 *
 * <p>It owns spans and what of them travels and stands in logs, and how counters become metrics; it must never know
 * sessions or transports. A tracer that throws is logged, and the call goes on. Threads: spans begin on the thread that
 * calls or runs the handler, are current there while the rest of the chain runs, and end on whichever one ends the
 * call; nothing here waits or has a thread of its own.
 */
package org.jvrpc.opentelemetry;
