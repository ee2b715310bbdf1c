package org.jvrpc.opentelemetry;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import io.opentelemetry.api.OpenTelemetry;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.context.Scope;
import org.junit.jupiter.api.Test;
import org.jvrpc.runtime.RpcClient;
import org.jvrpc.runtime.RpcServer;

/** What the site shows of tracing. */
class TracedProgramTest extends TracedPair {

    @Test
    void aCallInASpanHasTwoOfItsOwn() {
        OpenTelemetry openTelemetry = otel.getOpenTelemetry();
        String address = newAddress();
        ShopImpl shop = impl;
        // snippet begins
        JvrpcTracing tracing = JvrpcTracing.builder(openTelemetry)
                .clientRoots(0.01).build(); // of calls outside spans, 1 %
        RpcServer server = RpcServer.builder().bind(address).service(Shop.class, shop)
                .intercept(tracing.server(address)).start();
        RpcClient client = RpcClient.builder(address).intercept(tracing.client(address)).connect();
        // snippet ends
        try (server; client) {
            Span span = openTelemetry.getTracer("test").spanBuilder("mine").startSpan();
            try (Scope scope = span.makeCurrent()) {
                assertFalse(scope == null);
                assertEquals(5, client.stub(Shop.class).add(2, 3));
            }
            span.end();
            String trace = span.getSpanContext().getTraceId();
            assertEquals(3, spans(3).stream().filter(each -> each.getTraceId().equals(trace)).count());
        }
    }
}
