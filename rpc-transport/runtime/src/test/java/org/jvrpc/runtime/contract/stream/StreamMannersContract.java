package org.jvrpc.runtime.contract.stream;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Flow;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BiConsumer;
import org.junit.jupiter.api.Test;
import org.jvrpc.api.RpcException;
import org.jvrpc.api.Status;
import org.jvrpc.runtime.RpcServer;
import org.jvrpc.runtime.contract.Await;

/** Consumers and publishers that break the rules or stretch them, at either side: their stream ends, others go on. */
public abstract class StreamMannersContract extends StreamFixture {

    private static final long ENDLESS = Long.MAX_VALUE / 4;
    private static final int WINDOW = 1 << 14;

    private static Flow.Publisher<Long> endless(AtomicInteger cancels) {
        return new Range<>(ENDLESS, Long::valueOf, null, cancels);
    }

    /** Emits what it likes when it is asked. */
    private static Flow.Publisher<Long> rude(
            AtomicInteger cancels, BiConsumer<Flow.Subscriber<? super Long>, Long> act) {
        return subscriber -> subscriber.onSubscribe(new Flow.Subscription() {
            @Override
            public void request(long count) {
                act.accept(subscriber, count);
            }

            @Override
            public void cancel() {
                cancels.incrementAndGet();
            }
        });
    }

    private void goesOn(Feed feed) {
        Collector<Feed.Tick> ticks = Collector.of(ticks(feed, "ACME", 10), 3);
        assertEquals("complete", ticks.ended());
        assertEquals(10, ticks.elements.size());
    }

    // ---- consumers at the server

    @Test
    void aHandlersSubscriberThatThrowsCancelsTheArgument() {
        Feed feed = feed();
        impl.consumer = new Collector<>(1) {
            @Override
            public void onNext(Long value) {
                throw new IllegalStateException("for a test");
            }
        };
        feed.consume(endless(impl.cancels));
        Await.until("the argument's subscription to be cancelled", () -> impl.cancels.get() == 1);
        impl.consumed.complete(1L);
        goesOn(feed);
    }

    @Test
    void aHandlersSubscriberThatThrowsWhenItIsSubscribedCancelsTheArgument() {
        Feed feed = feed();
        impl.consumer = new Collector<>(1) {
            @Override
            public void onSubscribe(Flow.Subscription subscription) {
                throw new IllegalStateException("for a test");
            }
        };
        feed.consume(endless(impl.cancels));
        Await.until("the argument's subscription to be cancelled", () -> impl.cancels.get() == 1);
        goesOn(feed);
    }

    @Test
    void aHandlersRequestOfNothingEndsTheArgumentWithTheRulesException() {
        Feed feed = feed();
        for (int count : new int[] {0, -1}) {
            Collector<Long> asking = new Collector<>(1);
            impl.consumer = asking;
            feed.consume(endless(impl.cancels));
            Await.until("the first element", () -> !asking.elements.isEmpty());
            asking.upstream.request(count);
            assertEquals("failed", asking.ended());
            assertInstanceOf(IllegalArgumentException.class, asking.failure);
            Await.until("the argument's subscription to be cancelled", () -> impl.cancels.get() == 1 - count);
        }
        goesOn(feed);
    }

    @Test
    void anArgumentsPublisherIsAskedForNoMoreThanTheWindowsOfAHandlerThatNeverAsks() {
        RpcServer server = serve(builder -> builder.streamWindow(WINDOW));
        Feed feed = connect(server, builder -> builder.streamWindow(WINDOW)).stub(Feed.class);
        AtomicLong made = new AtomicLong();
        Collector<Long> never = new Collector<>(0);
        impl.consumer = never;
        feed.consume(new Range<>(ENDLESS, i -> made.incrementAndGet(), null, impl.cancels));
        Await.until("a window of elements", () -> made.get() >= WINDOW / Long.BYTES);
        for (int i = 0; i < 20; i++) {
            goesOn(feed);
        }
        assertTrue(made.get() <= 3 * WINDOW / Long.BYTES, "elements made: " + made);
        assertEquals(0, never.elements.size());
        never.upstream.cancel();
        Await.until("the publisher's end", () -> impl.cancels.get() == 1);
    }

    @Test
    void whoAsksForAllGetsAllAtEitherSide() {
        Feed feed = feed();
        Collector<Long> all = new Collector<>(0);
        impl.consumer = all;
        feed.consume(new Range<>(50_000, Long::valueOf, null, impl.cancels));
        Await.until("the handler to subscribe", () -> all.upstream != null);
        all.upstream.request(Long.MAX_VALUE);
        all.upstream.request(Long.MAX_VALUE); // which is no more
        assertEquals("complete", all.ended());
        assertEquals(50_000, all.elements.size());
        Collector<Feed.Tick> ticks = Collector.of(ticks(feed, "ACME", 50_000), 0);
        ticks.upstream.request(Long.MAX_VALUE);
        ticks.upstream.request(Long.MAX_VALUE);
        assertEquals("complete", ticks.ended());
        assertEquals(50_000, ticks.elements.size());
        assertEquals(0, impl.cancels.get());
    }

    // ---- publishers, of results and of arguments

    /** Has the same publisher be a result, and an argument; returns what came of it, "complete" or "failed". */
    private List<Collector<Long>> bothWays(BiConsumer<Flow.Subscriber<? super Long>, Long> act) {
        Feed feed = feed();
        impl.custom = rude(impl.cancels, act);
        Collector<Long> result = Collector.of(feed.custom(), 5);
        result.ended();
        Collector<Long> argument = new Collector<>(5);
        impl.consumer = argument;
        feed.consume(rude(impl.cancels, act));
        argument.ended();
        goesOn(feed);
        return List.of(result, argument);
    }

    private void failBothWays(Status status, String text, BiConsumer<Flow.Subscriber<? super Long>, Long> act) {
        for (Collector<Long> each : bothWays(act)) {
            assertEquals("failed", each.ended());
            RpcException failure = assertInstanceOf(RpcException.class, each.failure);
            assertEquals(status, failure.status(), failure.getMessage());
            assertTrue(failure.getMessage().contains(text), failure.getMessage());
        }
        Await.until("subscriptions to be cancelled", () -> impl.cancels.get() == 2);
    }

    @Test
    void aPublisherThatEmitsMoreThanItWasAskedForFailsItsStream() {
        failBothWays(Status.INTERNAL, "more than was asked for", (subscriber, count) -> {
            for (long i = 0; i <= count; i++) {
                subscriber.onNext(i);
            }
        });
    }

    @Test
    void aPublisherThatEmitsNullFailsItsStreamAndIsTold() {
        List<Throwable> told = Collections.synchronizedList(new ArrayList<>());
        failBothWays(Status.UNKNOWN, "NullPointerException", (subscriber, count) -> {
            try {
                subscriber.onNext(null);
            } catch (NullPointerException e) {
                told.add(e);
            }
        });
        assertEquals(2, told.size());
    }

    @Test
    void aPublisherThatThrowsWhenItIsAskedFailsItsStream() {
        failBothWays(Status.UNKNOWN, "for a test", (subscriber, count) -> {
            throw new IllegalStateException("for a test");
        });
    }

    @Test
    void whatAPublisherSaysBehindItsEndIsNotHeard() {
        for (Collector<Long> each : bothWays((subscriber, count) -> {
            subscriber.onNext(7L);
            subscriber.onComplete();
            subscriber.onComplete();
            subscriber.onNext(8L);
            subscriber.onError(new IllegalStateException("behind the end"));
        })) {
            assertEquals("complete", each.ended());
            assertEquals(List.of(7L), each.elements);
        }
        assertEquals(0, impl.cancels.get());
    }

    @Test
    void aSecondSubscriptionOfAPublisherIsCancelled() {
        AtomicInteger second = new AtomicInteger();
        for (Collector<Long> each : bothWays((subscriber, count) -> {
            subscriber.onSubscribe(new Flow.Subscription() {
                @Override
                public void request(long more) {
                    throw new AssertionError("it is not to be asked");
                }

                @Override
                public void cancel() {
                    second.incrementAndGet();
                }
            });
            subscriber.onComplete();
        })) {
            assertEquals("complete", each.ended());
        }
        assertEquals(2, second.get());
    }
}
