package org.jvrpc.opentelemetry;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.opentelemetry.api.baggage.Baggage;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.TraceFlags;
import io.opentelemetry.api.trace.TraceState;
import io.opentelemetry.context.Context;
import io.opentelemetry.context.Scope;
import io.opentelemetry.sdk.OpenTelemetrySdk;
import io.opentelemetry.sdk.testing.exporter.InMemorySpanExporter;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.export.SimpleSpanProcessor;
import io.opentelemetry.sdk.trace.samplers.Sampler;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Flow;
import java.util.concurrent.SubmissionPublisher;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.jvrpc.api.CallOptions;
import org.jvrpc.api.ClientInterceptor;
import org.jvrpc.api.RpcException;
import org.jvrpc.api.Status;
import org.jvrpc.api.retry.HedgingPolicy;
import org.jvrpc.api.retry.RetryPolicy;
import org.jvrpc.api.stream.StreamReader;
import org.jvrpc.api.stream.Streams;
import org.jvrpc.runtime.RpcClient;
import org.jvrpc.runtime.RpcServer;

/** The span that is current at a client: behind its tracing that of the call, and what there was for the caller. */
class CurrentSpanTest extends TracedPair {

    /** Interceptors that stand behind the tracing note here in which span they are. */
    private final ConcurrentLinkedQueue<String> inside = new ConcurrentLinkedQueue<>();
    private Span outer;
    private Scope scope;
    private Context context;

    @BeforeEach
    void beginOuterSpan() {
        outer = otel.getOpenTelemetry().getTracer("test").spanBuilder("outer").startSpan();
        scope = outer.makeCurrent();
        context = Context.current();
    }

    @AfterEach
    void nothingIsLeftOnTheThreadOfTheCaller() {
        assertSame(context, Context.current());
        scope.close();
        assertSame(Context.root(), Context.current());
    }

    private static String current() {
        return Span.current().getSpanContext().getSpanId();
    }

    private void note() {
        inside.add(current());
    }

    private ClientInterceptor noting() {
        return (call, next) -> {
            note();
            next.proceed();
            note();
        };
    }

    private RpcClient client(ClientInterceptor behind, UnaryOperator<RpcClient.Builder> settings) {
        JvrpcTracing tracing = tracing();
        return connect(serve(tracing), tracing, builder -> settings.apply(builder).intercept(behind));
    }

    private RpcClient client(ClientInterceptor behind) {
        return client(behind, builder -> builder);
    }

    /** What was noted in front of and behind proceed() is the span of the one call, below the caller's. */
    private SpanData assertWasInside(int spans) {
        List<SpanData> ofClient = spans(spans).stream().filter(span -> span.getKind() == SpanKind.CLIENT).toList();
        assertEquals(1, ofClient.size(), ofClient::toString);
        String span = ofClient.get(0).getSpanId();
        assertEquals(List.of(span, span), List.copyOf(inside));
        assertEquals(outer.getSpanContext().getSpanId(), ofClient.get(0).getParentSpanId());
        assertSame(context, Context.current());
        inside.clear();
        otel.clearSpans();
        return ofClient.get(0);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void interceptorsOfABlockingCallAreInItsSpan(boolean retries) {
        Shop shop = client(noting(), builder -> retries ? builder.retry(RetryPolicy.DEFAULT) : builder)
                .stub(Shop.class);
        assertEquals(5, shop.add(2, 3));
        assertWasInside(2);
        assertEquals(5, shop.addHeavily(2, 3));
        assertWasInside(2);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void interceptorsOfAnAsynchronousCallAreInItsSpanWhichItsCallerIsNot(boolean retries) {
        RpcClient client = client(noting(), builder -> retries ? builder.retry(RetryPolicy.DEFAULT) : builder);
        CompletableFuture<Integer> answer = client.asyncStub(Shop.class, ShopAsync.class).later(1);
        assertSame(context, Context.current());
        until("the handler", () -> impl.open.size() == 1);
        assertEquals(2, inside.size());
        impl.open.remove().complete(7);
        assertEquals(7, answer.join());
        assertWasInside(2);
    }

    @Test
    void interceptorsOfAOneWayCallAreInItsSpan() {
        client(noting()).stub(Shop.class).tell("it");
        assertWasInside(2);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void interceptorsOfAStreamAreInItsSpanAndNoElementIs(boolean retries) {
        Shop shop = client(noting(), builder -> retries ? builder.retry(RetryPolicy.DEFAULT) : builder)
                .stub(Shop.class);
        Flow.Publisher<Integer> numbers = shop.count(2);
        assertEquals(0, inside.size(), "the call is made when somebody subscribes");
        try (StreamReader<Integer> reader = Streams.reader(numbers)) {
            assertEquals(0, reader.next());
            assertSame(context, Context.current());
            assertEquals(1, reader.next());
            assertFalse(reader.hasNext());
        }
        assertWasInside(2);
        String callers = current();
        assertEquals(9, shop.sum(Streams.writing(writer -> {
            assertEquals(callers, current());
            writer.write(4);
            writer.write(5);
        })));
        assertWasInside(2);
        CompletableFuture<Long> sum;
        try (SubmissionPublisher<Integer> values = new SubmissionPublisher<>()) {
            sum = CompletableFuture.supplyAsync(context.wrapSupplier(() -> shop.sum(values)),
                    task -> new Thread(task).start());
            until("a subscriber", values::hasSubscribers);
            values.submit(4);
        }
        assertEquals(4, sum.join());
        assertWasInside(2);
    }

    private enum Kind { BLOCKING, ASYNCHRONOUS, ONE_WAY, STREAM }

    /** Makes a call, and returns what its caller sees of a failure. */
    private Throwable failure(RpcClient client, Kind kind) {
        Shop shop = client.stub(Shop.class);
        try {
            switch (kind) {
                case BLOCKING -> shop.add(1, 2);
                case ASYNCHRONOUS -> client.asyncStub(Shop.class, ShopAsync.class).add(1, 2).join();
                case ONE_WAY -> shop.tell("it");
                default -> {
                    try (StreamReader<Integer> reader = Streams.reader(shop.count(1))) {
                        reader.next();
                    }
                }
            }
        } catch (CompletionException e) {
            return e.getCause();
        } catch (RuntimeException | Error e) {
            return e;
        }
        return null;
    }

    @ParameterizedTest
    @EnumSource(Kind.class)
    void anInterceptorThatThrowsLeavesNothingOnTheThread(Kind kind) {
        AtomicReference<Runnable> before = new AtomicReference<>(() -> { });
        AtomicReference<Runnable> behind = new AtomicReference<>(() -> { });
        RpcClient client = client((call, next) -> {
            note();
            before.get().run();
            next.proceed();
            behind.get().run();
        });
        before.set(() -> {
            throw new RpcException(Status.PERMISSION_DENIED, "planted");
        });
        RpcException refused = (RpcException) failure(client, kind);
        assertEquals(Status.PERMISSION_DENIED, refused.status());
        assertSame(context, Context.current());
        before.set(() -> {
            throw new AssertionError("planted");
        });
        assertTrue(failure(client, kind).toString().contains("planted"));
        assertSame(context, Context.current());
        List<String> ids = spans(2).stream().map(SpanData::getSpanId).sorted().toList();
        assertEquals(ids, inside.stream().sorted().toList());
        before.set(() -> { });
        behind.set(() -> {
            throw new IllegalStateException("planted");
        });
        failure(client, kind); // whose call may have been answered
        assertSame(context, Context.current());
    }

    @Test
    void aCallThatFailsLeavesNothingOnTheThread() {
        RpcClient client = client(noting());
        Shop shop = client.stub(Shop.class);
        assertThrows(RpcException.class, () -> shop.fail("unchecked"));
        assertSame(context, Context.current());
        client.close();
        assertThrows(RpcException.class, () -> shop.add(1, 2));
        assertSame(context, Context.current());
    }

    @ParameterizedTest
    @EnumSource(Kind.class)
    void whatAnInterceptorCallsIsBelowTheSpanOfItsCall(Kind kind) {
        Shop other = connect(serve(tracing()), tracing()).stub(Shop.class);
        RpcClient client = client((call, next) -> {
            other.addHeavily(1, 2);
            next.proceed();
            other.addHeavily(3, 4);
        });
        assertEquals(null, failure(client, kind));
        List<SpanData> ofClients = spans(6).stream().filter(span -> span.getKind() == SpanKind.CLIENT).toList();
        List<SpanData> nested = ofClients.stream().filter(span -> span.getName().endsWith("/addHeavily")).toList();
        SpanData call = ofClients.stream().filter(span -> !span.getName().endsWith("/addHeavily")).findAny()
                .orElseThrow();
        assertEquals(2, nested.size());
        for (SpanData below : nested) {
            assertEquals(call.getSpanId(), below.getParentSpanId());
            assertEquals(call.getTraceId(), below.getTraceId());
        }
        assertEquals(outer.getSpanContext().getSpanId(), call.getParentSpanId());
    }

    @Test
    void interceptorsInFrontOfTheTracingAreInTheSpanOfTheCaller() {
        JvrpcTracing tracing = tracing();
        RpcServer server = serve(tracing);
        try (RpcClient client = RpcClient.builder(server.address()).intercept(noting())
                .intercept(tracing.client(server.address())).connect()) {
            assertEquals(3, client.stub(Shop.class).add(1, 2));
        }
        String callers = outer.getSpanContext().getSpanId();
        assertEquals(List.of(callers, callers), List.copyOf(inside));
    }

    /** Credentials are asked for each attempt, by the thread that makes it. */
    private CallOptions refusing(int most) {
        return CallOptions.DEFAULT.withCredentials((method, metadata) -> {
            if (method.name().startsWith("add")) {
                note();
                if (inside.size() <= most) {
                    throw RpcException.notRun(Status.UNAVAILABLE, "planted");
                }
            }
        });
    }

    @Test
    void attemptsOfABlockingCallAreInItsSpan() {
        RpcClient client = client((call, next) -> next.proceed(), builder -> builder.retry(RetryPolicy.DEFAULT));
        assertEquals(3, client.stub(Shop.class, refusing(1)).add(1, 2));
        assertWasInside(2);
    }

    @Test
    void attemptsOfAnAsynchronousCallOrAHedgedOneAreInItsSpanOnTheThreadOfTheCallerAlone() {
        String none = SpanContext.getInvalid().getSpanId();
        RpcClient retrying = client((call, next) -> next.proceed(), builder -> builder.retry(RetryPolicy.DEFAULT));
        assertEquals(3, retrying.asyncStub(Shop.class, ShopAsync.class, refusing(1)).add(1, 2).join());
        String span = spans(2).get(1).getSpanId();
        assertEquals(List.of(span, none), List.copyOf(inside));
        inside.clear();
        otel.clearSpans();
        RpcClient hedging = client((call, next) -> next.proceed(),
                builder -> builder.hedging(Shop.class.getName() + "/addHeavily",
                        HedgingPolicy.DEFAULT.withHedgingDelay(Duration.ofSeconds(20)))); // the first is refused before
        assertEquals(3, hedging.stub(Shop.class, refusing(1)).addHeavily(1, 2));
        span = spans(2).get(1).getSpanId();
        assertEquals(List.of(span, none), List.copyOf(inside));
    }

    @Test
    void whatDependsOnOtherCallsIsNotInTheSpanOfACallThatWaits() {
        RpcClient client = client(noting());
        CompletableFuture<String> seen =
                client.asyncStub(Shop.class, ShopAsync.class).later(1).thenApply(answer -> current());
        until("the handler", () -> impl.open.size() == 1);
        inside.clear();
        impl.inHandler = () -> {
            impl.open.remove().complete(7);
            until("what depends on the other call", seen::isDone); // while the caller of this one waits
        };
        assertEquals(3, client.stub(Shop.class).addHeavily(1, 2));
        assertEquals(2, inside.size());
        assertEquals(SpanContext.getInvalid().getSpanId(), seen.join());
    }

    @Test
    void whatTheSamplerLeavesOutIsCurrentToo() {
        JvrpcTracing none = tracing(OpenTelemetrySdk.builder().setTracerProvider(SdkTracerProvider.builder()
                .addSpanProcessor(SimpleSpanProcessor.create(InMemorySpanExporter.create())) // or it makes no spans
                .setSampler(Sampler.alwaysOff()).build()).build(), settings -> settings);
        Shop other = connect(serve(tracing()), tracing()).stub(Shop.class);
        Shop shop = connect(serve(none), none, builder -> builder.intercept((call, next) -> {
            assertTrue(Span.current().getSpanContext().isValid());
            note();
            other.add(1, 2); // no root of its own
            next.proceed();
        })).stub(Shop.class);
        try (Scope root = Context.root().makeCurrent()) {
            assertFalse(root == null);
            assertEquals(3, shop.add(1, 2));
        }
        assertEquals(1, inside.size());
        assertEquals(List.of(), otel.getSpans());
    }

    @Test
    void callsThatAreNotTracedLeaveTheContextAsItIs() {
        SpanContext unsampled = SpanContext.create("0af7651916cd43dd8448eb211c80319c", "b7ad6b7169203331",
                TraceFlags.getDefault(), TraceState.getDefault());
        ConcurrentLinkedQueue<Context> contexts = new ConcurrentLinkedQueue<>();
        ClientInterceptor noting = (call, next) -> {
            contexts.add(Context.current());
            next.proceed();
        };
        JvrpcTracing telling = tracing(otel.getOpenTelemetry(), settings -> settings.propagateUnsampled(true));
        Shop shop = connect(serve(telling), telling, builder -> builder.intercept(noting)).stub(Shop.class);
        try (Scope without = Span.wrap(unsampled).makeCurrent();
                Scope more = Baggage.builder().put("who", "me").build().makeCurrent()) {
            assertFalse(without == null || more == null);
            assertEquals(3, shop.add(1, 2));
            assertSame(Context.current(), contexts.remove());
        }
        assertEquals(List.of(), otel.getSpans());
    }
}
