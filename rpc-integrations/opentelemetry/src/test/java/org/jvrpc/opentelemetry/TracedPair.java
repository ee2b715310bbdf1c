package org.jvrpc.opentelemetry;

import io.opentelemetry.api.OpenTelemetry;
import io.opentelemetry.sdk.testing.junit5.OpenTelemetryExtension;
import io.opentelemetry.sdk.trace.data.SpanData;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.jvrpc.runtime.RpcClient;
import org.jvrpc.runtime.RpcServer;

/** Servers and clients with tracing, and the spans that they make. */
abstract class TracedPair {

    private static final AtomicInteger NUMBER = new AtomicInteger();
    private static final long LIMIT_NS = 30_000_000_000L;

    @RegisterExtension
    final OpenTelemetryExtension otel = OpenTelemetryExtension.create();

    final ShopImpl impl = new ShopImpl();
    private final Deque<AutoCloseable> made = new ArrayDeque<>();

    @AfterEach
    void close() throws Exception {
        while (!made.isEmpty()) {
            made.pop().close();
        }
    }

    static JvrpcTracing tracing(OpenTelemetry telemetry, UnaryOperator<JvrpcTracing.Builder> settings) {
        return settings.apply(JvrpcTracing.builder(telemetry)).build();
    }

    JvrpcTracing tracing() {
        return tracing(otel.getOpenTelemetry(), settings -> settings);
    }

    String newAddress() {
        return "inproc://traced-" + NUMBER.incrementAndGet();
    }

    RpcServer serve(JvrpcTracing tracing, UnaryOperator<RpcServer.Builder> settings) {
        String address = newAddress();
        RpcServer server = settings.apply(RpcServer.builder().bind(address).service(Shop.class, impl)
                .intercept(tracing.server(address))).start();
        made.push(server);
        return server;
    }

    RpcServer serve(JvrpcTracing tracing) {
        return serve(tracing, builder -> builder);
    }

    RpcClient connect(RpcServer server, JvrpcTracing tracing, UnaryOperator<RpcClient.Builder> settings) {
        RpcClient client = settings.apply(RpcClient.builder(server.address())
                .intercept(tracing.client(server.address()))).connect();
        made.push(client);
        return client;
    }

    RpcClient connect(RpcServer server, JvrpcTracing tracing) {
        return connect(server, tracing, builder -> builder);
    }

    Shop shop(JvrpcTracing tracing) {
        return connect(serve(tracing), tracing).stub(Shop.class);
    }

    /** Waits for so many spans, which end when they end, and returns them: clients' first. */
    List<SpanData> spans(int count) {
        until("spans=" + count, () -> otel.getSpans().size() >= count);
        List<SpanData> spans = otel.getSpans();
        Assertions.assertEquals(count, spans.size(), spans::toString);
        return spans.stream().sorted((a, b) -> a.getKind().compareTo(b.getKind())).toList();
    }

    /** A condition that a test waits for. */
    @FunctionalInterface
    interface Condition {
        boolean holds();
    }

    static void until(String what, Condition condition) {
        long startNs = System.nanoTime();
        while (!condition.holds()) {
            if (System.nanoTime() - startNs > LIMIT_NS) {
                Assertions.fail("waited in vain for " + what);
            }
            Thread.onSpinWait();
            Thread.yield();
        }
    }
}
