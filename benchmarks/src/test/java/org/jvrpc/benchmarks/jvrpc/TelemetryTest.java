package org.jvrpc.benchmarks.jvrpc;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.opentelemetry.api.trace.Span;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.jvrpc.runtime.RpcClient;
import org.jvrpc.runtime.RpcServer;

/** What is measured as traced is traced. */
class TelemetryTest {

    @ParameterizedTest
    @CsvSource({"1, true", "0, false"})
    void bothEndsOfTracedCallsHaveSpans(double part, boolean traced) {
        AtomicReference<Span> ofClient = new AtomicReference<>();
        AtomicReference<Span> ofServer = new AtomicReference<>();
        String address = "inproc://traced-bench-" + traced;
        RpcServer.Builder serving = RpcServer.builder().bind(address).service(BenchService.class, new BenchHandler());
        Tracing.add(serving, address, part);
        serving.intercept((call, next) -> {
            ofServer.set(Span.current());
            next.proceed();
        });
        RpcClient.Builder calling = RpcClient.builder(address);
        Tracing.add(calling, address, part);
        calling.intercept((call, next) -> {
            ofClient.set(Span.current());
            next.proceed();
        });
        try (RpcServer server = serving.start(); RpcClient client = calling.connect()) {
            assertEquals(address, server.address());
            client.stub(BenchService.class).nothing();
        }
        assertEquals(traced, ofClient.get().getSpanContext().isSampled());
        assertEquals(traced, ofServer.get().getSpanContext().isSampled());
        assertEquals(ofClient.get().getSpanContext().getTraceId(), ofServer.get().getSpanContext().getTraceId());
    }
}
