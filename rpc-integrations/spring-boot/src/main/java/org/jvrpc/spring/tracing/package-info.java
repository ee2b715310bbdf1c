/** Spans of the calls of a context's servers and clients, where there is OpenTelemetry. Any thread. */
package org.jvrpc.spring.tracing;
