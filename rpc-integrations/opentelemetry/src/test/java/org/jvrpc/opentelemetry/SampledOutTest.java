package org.jvrpc.opentelemetry;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import io.opentelemetry.api.baggage.Baggage;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.api.trace.TraceFlags;
import io.opentelemetry.api.trace.TraceState;
import io.opentelemetry.context.Scope;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.jvrpc.runtime.RpcClient;
import org.jvrpc.runtime.RpcServer;

/** Calls that are not traced: what they carry, and what they cost. */
class SampledOutTest extends TracedPair {

    private static final int CALLS = 1000;
    private static final long ALLOCATION_LIMIT_NS = 60_000_000_000L;
    private static final SpanContext UNSAMPLED = SpanContext.create("0af7651916cd43dd8448eb211c80319c",
            "b7ad6b7169203331", TraceFlags.getDefault(), TraceState.getDefault());

    private final Queue<String> carried = new ConcurrentLinkedQueue<>();
    private final ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    private JvrpcTracing none(boolean propagate) {
        return tracing(otel.getOpenTelemetry(), settings -> settings.clientRoots(0).propagateUnsampled(propagate));
    }

    private Shop shop(JvrpcTracing ofServer, JvrpcTracing ofClient) {
        RpcServer server = serve(ofServer, builder -> builder.intercept((call, next) -> {
            carried.add(call.metadata() + " in " + Span.current().getSpanContext().getTraceId());
            next.proceed();
        }));
        return connect(server, ofClient).stub(Shop.class);
    }

    @Test
    void callsOutsideASpanAreTracedWhereTheyAreRootsAlone() {
        shop(none(false), none(false)).add(1, 2);
        assertEquals(List.of("[] in " + SpanContext.getInvalid().getTraceId()), List.copyOf(carried));
        assertEquals(List.of(), otel.getSpans());
        JvrpcTracing roots = tracing(otel.getOpenTelemetry(), settings -> settings.clientRoots(0).serverRoots(1));
        shop(roots, roots).add(1, 2);
        assertEquals(1, spans(1).size());
    }

    @Test
    void callsInASpanThatIsNotSampledCarryItWhereTheyAreToldToOrThereIsBaggage() {
        Shop silent = shop(none(false), tracing());
        Shop telling = shop(none(true), none(true));
        try (Scope scope = Span.wrap(UNSAMPLED).makeCurrent()) {
            assertFalse(scope == null);
            silent.add(1, 2);
            assertEquals("[] in " + SpanContext.getInvalid().getTraceId(), carried.remove());
            telling.add(1, 2);
            String parent = "00-" + UNSAMPLED.getTraceId() + "-" + UNSAMPLED.getSpanId() + "-00";
            assertEquals("[traceparent, " + parent + "] in " + UNSAMPLED.getTraceId(), carried.remove());
            try (Scope more = Baggage.builder().put("who", "me").build().makeCurrent()) {
                assertFalse(more == null);
                silent.tell("it");
                until("the handler", () -> impl.told().size() == 1);
            }
        }
        assertEquals(List.of("it me"), impl.told());
        assertEquals(List.of(), otel.getSpans());
    }

    @Test
    void whatAHandlerCallsForACallThatIsNotTracedIsNoRoot() {
        impl.behind = shop(tracing(), tracing());
        shop(none(false), none(false)).askBehind(1);
        assertEquals(List.of(), otel.getSpans());
    }

    @Test
    void aPartOfTheCallsIsTaken() {
        Sampling some = new Sampling(0.25);
        int taken = 0;
        for (int i = 0; i < 100_000; i++) {
            taken += some.takes() ? 1 : 0;
        }
        assertEquals(25_000, taken, 2_000); // 14 standard deviations
        assertFalse(new Sampling(0).takes());
        assertTrue(new Sampling(1).takes());
        for (double part : new double[] {-0.1, 1.1, Double.NaN}) {
            String message = assertThrows(IllegalArgumentException.class, () ->
                    JvrpcTracing.builder(otel.getOpenTelemetry()).clientRoots(part)).getMessage();
            assertTrue(message.endsWith("clientRoots=" + part), message);
        }
    }

    private long allocated() {
        return Arrays.stream(threads.getThreadAllocatedBytes(threads.getAllThreadIds())).sum();
    }

    /** Goes on until a round took nothing, as compilers come late on a slow machine. */
    private void allocatesNothing(Runnable call) {
        List<Long> taken = new ArrayList<>();
        long startNs = System.nanoTime();
        do {
            assertTrue(System.nanoTime() - startNs < ALLOCATION_LIMIT_NS,
                    () -> "each " + CALLS + " calls took bytes: " + taken);
            long first = allocated();
            long before = allocated();
            for (int i = 0; i < CALLS; i++) {
                call.run();
            }
            taken.add(allocated() - before - (before - first)); // a look takes some, too
        } while (taken.get(taken.size() - 1) >= CALLS);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void callsThatAreNotTracedMakeNoGarbageAtEitherEnd(boolean inSpan) {
        JvrpcTracing tracing = inSpan ? tracing() : tracing(otel.getOpenTelemetry(), settings ->
                settings.clientRoots(0.000_000_001).serverRoots(0.000_000_001));
        RpcServer server = serve(tracing);
        RpcClient client = connect(server, tracing);
        Shop shop = client.stub(Shop.class);
        try (Scope scope = inSpan ? Span.wrap(UNSAMPLED).makeCurrent() : Scope.noop()) {
            assertFalse(scope == null);
            allocatesNothing(() -> assertEquals(5, shop.add(2, 3)));
        }
        assertEquals(List.of(), otel.getSpans());
    }
}
