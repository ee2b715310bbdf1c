package org.jvrpc.opentelemetry;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.opentelemetry.api.baggage.Baggage;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.context.Scope;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.semconv.ErrorAttributes;
import io.opentelemetry.semconv.RpcAttributes;
import io.opentelemetry.semconv.ServerAttributes;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Flow;
import java.util.concurrent.SubmissionPublisher;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.jvrpc.api.RpcException;
import org.jvrpc.api.Status;
import org.jvrpc.api.retry.RetryPolicy;
import org.jvrpc.api.stream.StreamReader;
import org.jvrpc.api.stream.Streams;
import org.jvrpc.runtime.RpcClient;
import org.jvrpc.runtime.RpcServer;

/** The spans that calls have at both sides. */
class TracingTest extends TracedPair {

    private static final String SERVICE = Shop.class.getName();

    private static void assertChild(SpanData parent, SpanData child) {
        assertEquals(parent.getTraceId(), child.getTraceId());
        assertEquals(parent.getSpanId(), child.getParentSpanId());
        assertTrue(child.getParentSpanContext().isRemote());
    }

    private static void assertEnded(SpanData span, Status status, boolean failed) {
        Attributes attributes = span.getAttributes();
        assertEquals(status.name(), attributes.get(RpcAttributes.RPC_STATUS_CODE), span.toString());
        assertEquals(failed ? status.name() : null, attributes.get(ErrorAttributes.ERROR_TYPE), span.toString());
        assertEquals(failed ? StatusCode.ERROR : StatusCode.UNSET, span.getStatus().getStatusCode());
    }

    @ParameterizedTest
    @ValueSource(strings = {"add", "addHeavily"})
    void aCallIsASpanOfItsClientAndOneOfItsServerBelowThat(String name) {
        JvrpcTracing tracing = tracing();
        RpcServer server = serve(tracing);
        Shop shop = connect(server, tracing).stub(Shop.class);
        Span outer = otel.getOpenTelemetry().getTracer("test").spanBuilder("outer").startSpan();
        AtomicReference<String> inside = new AtomicReference<>();
        impl.inHandler = () -> inside.set(Span.current().getSpanContext().getSpanId());
        try (Scope scope = outer.makeCurrent()) {
            assertFalse(scope == null);
            assertEquals(5, name.equals("add") ? shop.add(2, 3) : shop.addHeavily(2, 3));
        }
        List<SpanData> spans = spans(2);
        SpanData ofServer = spans.get(0);
        SpanData ofClient = spans.get(1);
        assertEquals(List.of(SpanKind.SERVER, SpanKind.CLIENT), spans.stream().map(SpanData::getKind).toList());
        assertEquals(outer.getSpanContext().getSpanId(), ofClient.getParentSpanId());
        assertChild(ofClient, ofServer);
        assertEquals(ofServer.getSpanId(), inside.get());
        for (SpanData span : spans) {
            assertEquals(SERVICE + "/" + name, span.getName());
            assertEquals("jvrpc", span.getAttributes().get(RpcAttributes.RPC_SYSTEM_NAME));
            assertEquals(SERVICE + "/" + name, span.getAttributes().get(RpcAttributes.RPC_METHOD));
            assertEquals(server.address().replace("inproc://", ""),
                    span.getAttributes().get(ServerAttributes.SERVER_ADDRESS));
            assertEnded(span, Status.OK, false);
        }
    }

    @Test
    void failuresOfAServerAreErrorsAtBothSidesAndStatusesOfItsChoiceAtTheClientAlone() {
        Shop shop = shop(tracing());
        assertThrows(RpcException.class, () -> shop.fail("unchecked"));
        List<SpanData> spans = spans(2);
        assertEnded(spans.get(0), Status.UNKNOWN, true);
        assertEnded(spans.get(1), Status.UNKNOWN, true);
        assertEquals("exception", spans.get(0).getEvents().get(0).getName());
        otel.clearSpans();
        assertThrows(RpcException.class, () -> shop.fail("NOT_FOUND"));
        spans = spans(2);
        assertEnded(spans.get(0), Status.NOT_FOUND, false);
        assertEnded(spans.get(1), Status.NOT_FOUND, true);
        assertTrue(spans.get(0).getEvents().isEmpty());
        assertEquals("as told", spans.get(1).getStatus().getDescription());
    }

    @Test
    void aOneWayCallHasATraceOfItsOwnAtItsServerWithALinkToItsCaller() {
        Shop shop = shop(tracing());
        shop.tell("it");
        List<SpanData> spans = spans(2);
        SpanData ofServer = spans.get(0);
        SpanData ofClient = spans.get(1);
        assertFalse(ofServer.getTraceId().equals(ofClient.getTraceId()));
        assertFalse(ofServer.getParentSpanContext().isValid());
        assertEquals(ofClient.getSpanId(), ofServer.getLinks().get(0).getSpanContext().getSpanId());
        assertEquals(ofClient.getTraceId(), ofServer.getLinks().get(0).getSpanContext().getTraceId());
    }

    @Test
    void asynchronousCallsEndTheirSpansWithTheirAnswers() {
        RpcClient client = connect(serve(tracing()), tracing());
        CompletableFuture<Integer> answer = client.asyncStub(Shop.class, ShopAsync.class).later(1);
        until("the handler", () -> impl.open.size() == 1);
        assertEquals(List.of(), otel.getSpans());
        impl.open.remove().complete(7);
        assertEquals(7, answer.join());
        spans(2).forEach(span -> assertEnded(span, Status.OK, false));
    }

    @Test
    void aFutureThatFailsAtItsServerFailsBothSpans() {
        Shop shop = shop(tracing());
        CompletableFuture<Integer> answer = shop.later(1);
        until("the handler", () -> impl.open.size() == 1);
        impl.open.remove().completeExceptionally(new RpcException(Status.DATA_LOSS, "gone"));
        assertThrows(RuntimeException.class, answer::join);
        spans(2).forEach(span -> assertEnded(span, Status.DATA_LOSS, true));
    }

    @Test
    void aCallThatIsCancelledEndsItsSpan() {
        Shop shop = shop(tracing());
        CompletableFuture<Integer> answer = shop.later(1);
        until("the handler", () -> impl.open.size() == 1);
        assertTrue(answer.cancel(false));
        SpanData ofClient = spans(1).get(0);
        assertEquals(SpanKind.CLIENT, ofClient.getKind());
        assertEnded(ofClient, Status.CANCELLED, true);
        impl.open.remove().complete(7);
        assertEquals(SpanKind.SERVER, spans(2).get(0).getKind());
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void spansOfStreamsEndWithTheirStreams(boolean retries) {
        JvrpcTracing tracing = tracing();
        Shop shop = connect(serve(tracing), tracing,
                builder -> retries ? builder.retry(RetryPolicy.DEFAULT) : builder).stub(Shop.class);
        try (StreamReader<Integer> reader = Streams.reader(shop.count(3))) {
            for (int i = 0; i < 3; i++) {
                assertEquals(i, reader.next());
            }
            assertFalse(reader.hasNext());
        }
        List<SpanData> spans = spans(2);
        assertChild(spans.get(1), spans.get(0));
        spans.forEach(span -> assertEnded(span, Status.OK, false));
        otel.clearSpans();
        CompletableFuture<Long> sum;
        try (SubmissionPublisher<Integer> values = new SubmissionPublisher<>()) {
            // of a thread of its own: the publisher may have the common pool's only one
            sum = CompletableFuture.supplyAsync(() -> shop.sum(values), task -> new Thread(task).start());
            until("a subscriber", values::hasSubscribers);
            values.submit(4);
            values.submit(5);
            assertEquals(List.of(), otel.getSpans());
        }
        assertEquals(9, sum.join());
        spans(2).forEach(span -> assertEnded(span, Status.OK, false));
    }

    @Test
    void aStreamThatIsCancelledEndsBothSpans() {
        Shop shop = shop(tracing());
        AtomicReference<Flow.Subscription> subscription = new AtomicReference<>();
        shop.count(-1).subscribe(new Flow.Subscriber<>() {
            @Override
            public void onSubscribe(Flow.Subscription made) {
                made.request(1);
                subscription.set(made);
            }

            @Override
            public void onNext(Integer item) {
                subscription.get().cancel();
            }

            @Override
            public void onError(Throwable thrown) {
            }

            @Override
            public void onComplete() {
            }
        });
        until("the handler's stream", () -> impl.publisher != null && impl.publisher.hasSubscribers());
        impl.publisher.submit(1);
        List<SpanData> spans = spans(2);
        assertEnded(spans.get(0), Status.CANCELLED, false);
        assertEnded(spans.get(1), Status.CANCELLED, true);
    }

    @Test
    void whatAHandlerCallsIsPartOfItsTraceAndBaggageGoesAllTheWay() {
        JvrpcTracing tracing = tracing();
        Shop shop = shop(tracing);
        impl.behind = shop(tracing);
        AtomicReference<String> who = new AtomicReference<>();
        impl.inHandler = () -> who.set(Baggage.current().getEntryValue("who"));
        try (Scope scope = Baggage.builder().put("who", "zoë, and others").build().makeCurrent()) {
            assertFalse(scope == null);
            assertEquals(3, shop.askBehind(2));
        }
        List<SpanData> spans = spans(4);
        assertEquals(1, spans.stream().map(SpanData::getTraceId).distinct().count());
        assertEquals("zoë, and others", who.get());
    }

    @Test
    void retriesAreOneSpanOfTheirClientAndOneOfTheServerForEachAttempt() {
        JvrpcTracing tracing = tracing();
        Shop shop = connect(serve(tracing), tracing, builder -> builder.retry(RetryPolicy.DEFAULT)).stub(Shop.class);
        assertThrows(RpcException.class, () -> shop.fail("UNAVAILABLE"));
        List<SpanData> spans = spans(2); // it may have run: it is not made again
        assertChild(spans.get(1), spans.get(0));
    }
}
