package org.jvrpc.runtime.contract.stream;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Flow;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.jvrpc.api.CallOptions;
import org.jvrpc.api.RpcException;
import org.jvrpc.api.Status;
import org.jvrpc.api.stream.StreamReader;
import org.jvrpc.api.stream.Streams;
import org.jvrpc.runtime.RpcClient;
import org.jvrpc.runtime.RpcServer;
import org.jvrpc.runtime.contract.Await;
import org.jvrpc.runtime.stream.StreamTable;

/** How streams end: by either side, by their time, by the loss of the connection. */
public abstract class StreamEndContract extends StreamFixture {

    private static void failed(Status status, Collector<?> collector) {
        assertEquals("failed", collector.ended());
        assertEquals(status, assertInstanceOf(RpcException.class, collector.failure).status(),
                collector.failure.getMessage());
    }

    @Test
    void aCancelledResultCancelsItsPublisher() {
        Collector<Long> silent = Collector.of(feed().silence(), 1);
        Await.until("the handler's publisher to be subscribed", () -> impl.subscribed.get() == 1);
        silent.upstream.cancel();
        Await.until("its subscription to be cancelled", () -> impl.cancels.get() == 1);
    }

    @Test
    void streamsOfWhoIsRevokedAreToldSo() throws Exception {
        RpcServer server = serve(builder -> builder);
        RpcClient client = connect(server, builder -> builder);
        Collector<Long> silent = Collector.of(client.stub(Feed.class).silence(), 1);
        Await.until("the handler's publisher to be subscribed", () -> impl.subscribed.get() == 1);
        server.revoke(principal -> true);
        failed(Status.UNAUTHENTICATED, silent);
        assertTrue(silent.failure.getMessage().contains("is revoked"), silent.failure.getMessage());
        Await.until("its subscription to be cancelled", () -> impl.cancels.get() == 1);
    }

    @Test
    void aClosedReaderWakesTheHandlerThatWrites() {
        StreamReader.OfLong reader = Streams.longReader(feed().count(Long.MAX_VALUE));
        assertEquals(0, reader.nextLong());
        reader.close();
        Await.until("the handler's writer to hear of it", () -> impl.ends.contains("CANCELLED"));
    }

    @Test
    void aSubscriberThatThrowsCancelsTheStream() {
        ticks(feed(), "ACME", Long.MAX_VALUE / 4).subscribe(new Collector<>(1) {
            @Override
            public void onNext(Feed.Tick tick) {
                throw new IllegalStateException("for a test");
            }
        });
        Await.until("its subscription to be cancelled", () -> impl.cancels.get() == 1);
    }

    @Test
    void aRequestOfNothingEndsTheStreamWithTheRulesException() {
        for (int count : new int[] {0, -1}) {
            Collector<Long> silent = Collector.of(feed().silence(), 1);
            Await.until("the handler's publisher to be subscribed", () -> impl.subscribed.get() == 1 - count);
            silent.upstream.request(count);
            assertEquals("failed", silent.ended());
            assertInstanceOf(IllegalArgumentException.class, silent.failure);
        }
        Await.until("subscriptions to be cancelled", () -> impl.cancels.get() == 2);
    }

    @Test
    void aSecondSubscriberIsRefused() {
        Flow.Publisher<Long> silence = feed().silence();
        Collector.of(silence, 1);
        Collector<Long> second = Collector.of(silence, 1);
        assertEquals("failed", second.ended());
        assertInstanceOf(IllegalStateException.class, second.failure);
    }

    @Test
    void aStreamWithoutSubscriberIsNoCall() {
        feed().silence();
        feed().add(1, 2);
        assertEquals(0, impl.subscribed.get());
    }

    @Test
    void aHandlerThatStopsReadingCancelsTheArgument() {
        assertEquals(3, feed().sumOf(new Range<>(Long.MAX_VALUE / 4, Long::valueOf, null, impl.cancels), 3));
        Await.until("the argument's subscription to be cancelled", () -> impl.cancels.get() == 1);
    }

    @Test
    void anArgumentThatFailsIsAFailureOfTheHandlersReader() {
        RpcException e = assertThrows(RpcException.class, () -> feed().sum(
                new Range<>(5, Long::valueOf, new IllegalStateException("no more"), impl.cancels)));
        assertEquals(Status.UNKNOWN, e.status());
        assertTrue(e.getMessage().contains("no more"), e.getMessage());
    }

    @Test
    void aPublisherThatBreaksTheRulesFailsItsCall() {
        Feed feed = feed();
        impl.custom = subscriber -> {
            throw new IllegalStateException("cannot subscribe");
        };
        failed(Status.UNKNOWN, Collector.of(feed.custom(), 1));
        impl.custom = subscriber -> subscriber.onSubscribe(new Flow.Subscription() {
            @Override
            public void request(long count) {
                for (long i = 0; i <= count; i++) {
                    subscriber.onNext(i);
                }
            }

            @Override
            public void cancel() {
                impl.cancels.incrementAndGet();
            }
        });
        failed(Status.INTERNAL, Collector.of(feed.custom(), Integer.MAX_VALUE));
        assertEquals(1, impl.cancels.get());
    }

    @Test
    void aHandlersFailureHasItsStatus() {
        Feed feed = feed();
        failed(Status.NOT_FOUND, Collector.of(feed.custom(), 1));
        Collector<Feed.Tick> bad = Collector.of(ticks(feed, "bad", 3), 10);
        failed(Status.UNKNOWN, bad);
        assertEquals(3, bad.elements.size());
    }

    @Test
    void aDeadlineEndsAStreamAtBothSides() {
        RpcClient client = connect(serve(builder -> builder), builder -> builder);
        Await.inTime("the handler to have a subscriber", Duration.ofMillis(100), time -> {
            failed(Status.DEADLINE_EXCEEDED, Collector.of(within(client, time).silence(), 1));
            boolean began = impl.subscribed.get() > 0;
            Await.until("the handler's subscription to be cancelled",
                    () -> impl.cancels.get() == impl.subscribed.get());
            return began;
        });
        Feed feed = within(client, Duration.ofMillis(100));
        try (StreamReader<Long> reader = Streams.reader(feed.silence())) {
            RpcException e = assertThrows(RpcException.class, reader::hasNext);
            assertEquals(Status.DEADLINE_EXCEEDED, e.status());
        }
        CompletableFuture<Long> later = feed.sumLater(subscriber -> { });
        assertEquals(Status.DEADLINE_EXCEEDED,
                assertInstanceOf(RpcException.class, Await.outcome(later)).status());
    }

    private static Feed within(RpcClient client, Duration time) {
        return client.stub(Feed.class, CallOptions.DEFAULT.withDeadlineAfter(time));
    }

    /** Has elements move until the time is over, and the handler hear of that. */
    private void endsInTheMidst(Consumer<Duration> call) {
        Await.inTime("the handler to begin", Duration.ofMillis(200), time -> {
            int before = impl.begun.get();
            RpcException e = assertThrows(RpcException.class, () -> call.accept(time));
            assertEquals(Status.DEADLINE_EXCEEDED, e.status(), e.getMessage());
            boolean began = impl.begun.get() > before;
            Await.until("the handler to end", () -> impl.ends.size() == impl.begun.get());
            return began;
        });
    }

    @Test
    void aDeadlineInTheMidstOfElementsEndsTheStreamAtBothSides() {
        RpcClient client = connect(serve(builder -> builder), builder -> builder);
        endsInTheMidst(time -> {
            try (StreamReader.OfLong reader = Streams.longReader(within(client, time).count(Long.MAX_VALUE))) {
                for (long i = 0; reader.nextLong() == i; i++) {
                    assertTrue(i >= 0);
                }
            }
        });
        endsInTheMidst(time -> within(client, time).sum(Streams.writingLongs(writer -> {
            while (true) {
                writer.writeLong(1);
            }
        })));
        for (String end : impl.ends) {
            assertTrue(end.equals("DEADLINE_EXCEEDED") || end.equals("CANCELLED"), end); // whichever side was first
        }
    }

    @Test
    void oneStreamTooManyIsRefusedAndEndsNoOther() {
        Feed feed = feed();
        Collector<?> last = null;
        for (int i = 0; i < StreamTable.MOST; i++) {
            last = Collector.of(feed.silence(), 1);
        }
        Await.until("the last to be there", () -> impl.subscribed.get() == StreamTable.MOST);
        for (int i = 0; i < 3; i++) {
            failed(Status.RESOURCE_EXHAUSTED, Collector.of(feed.silence(), 1));
        }
        last.upstream.cancel();
        Await.until("a place", () -> impl.cancels.get() == 1);
        Collector.of(feed.silence(), 1);
        Await.until("one more to be there", () -> impl.subscribed.get() == StreamTable.MOST + 1);
        assertEquals(1, impl.cancels.get());
    }

    @Test
    void aCancelledFutureCancelsTheCall() {
        CompletableFuture<Long> later = feed().sumLater(
                subscriber -> new Range<>(Long.MAX_VALUE / 4, Long::valueOf, null, impl.cancels).subscribe(subscriber));
        later.cancel(true);
        Await.until("the argument's subscription to be cancelled", () -> impl.cancels.get() == 1);
    }

    @Test
    void aLostServerEndsStreamsOnceAndTheNextGoToItsSuccessor() {
        RpcServer server = serve(builder -> builder);
        RpcClient client = connect(server, builder -> builder);
        Feed feed = client.stub(Feed.class);
        Collector<Long> silent = Collector.of(feed.silence(), 1);
        Await.until("the handler's publisher to be subscribed", () -> impl.subscribed.get() == 1);
        server.shutdownNow();
        failed(Status.UNAVAILABLE, silent);
        Await.until("the handler's subscription to be cancelled", () -> impl.cancels.get() == 1);
        serveAt(server.address());
        Await.until("streams to go on", () -> {
            Collector<Feed.Tick> ticks = Collector.of(ticks(feed, "ACME", 3), 10);
            return ticks.ended().equals("complete") && ticks.elements.size() == 3;
        });
    }

    @Test
    void aClosedClientEndsItsStreams() throws Exception {
        RpcServer server = serve(builder -> builder);
        RpcClient client = connect(server, builder -> builder);
        Collector<Long> silent = Collector.of(client.stub(Feed.class).silence(), 1);
        Await.until("the handler's publisher to be subscribed", () -> impl.subscribed.get() == 1);
        client.close();
        failed(Status.UNAVAILABLE, silent);
        Await.until("the handler's subscription to be cancelled", () -> impl.cancels.get() == 1);
    }

    @Test
    void aServerThatShutsDownLetsStreamsEndAndTakesNoMore() throws Exception {
        RpcServer server = serve(builder -> builder);
        Feed feed = connect(server, builder -> builder.reconnect(false)).stub(Feed.class);
        Collector<Feed.Tick> ticks = Collector.of(ticks(feed, "ACME", 100), 1000);
        assertEquals("complete", ticks.ended());
        Collector<Feed.Tick> slow = Collector.of(ticks(feed, "ACME", 100_000), 0);
        slow.upstream.request(1);
        Await.until("the first tick", () -> slow.elements.size() == 1);
        server.shutdown();
        failed(Status.UNAVAILABLE, Collector.of(ticks(feed, "ACME", 1), 1));
        slow.upstream.request(Long.MAX_VALUE);
        assertEquals("complete", slow.ended());
        assertEquals(100_000, slow.elements.size());
        assertTrue(server.awaitTermination(Duration.ofSeconds(30)));
    }
}
