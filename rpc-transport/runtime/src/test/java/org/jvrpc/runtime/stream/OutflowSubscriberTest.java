package org.jvrpc.runtime.stream;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.ByteBuffer;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.Flow;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.jvrpc.api.RpcException;
import org.jvrpc.api.stub.StreamCodec;
import org.jvrpc.runtime.IdleStrategy;
import org.jvrpc.runtime.contract.Await;
import org.jvrpc.runtime.session.Hello;
import org.jvrpc.runtime.session.Protocol;
import org.jvrpc.runtime.stream.memory.StreamMemory;
import org.jvrpc.runtime.thread.Clock;

/** What a publisher hears of whoever sends what it brings. */
class OutflowSubscriberTest {

    private static final int MOST_ROUNDS = 50_000;
    private static final long MOST_NS = 1_000_000_000;

    private final StreamMemory memory = new StreamMemory(1 << 20);

    private final StreamSession session = new StreamSession(Clock.SYSTEM, new DeafLink(1, 1024), null, memory,
            IdleStrategy.BLOCK, Hello.request(Protocol.STREAMS, 1, 1024, 4096), 4096, 7, null);

    /** A stream that sends nothing. */
    static final class Still extends Stream {

        Still(StreamSession session) {
            super(session);
        }

        @Override
        protected void message(int kind, ByteBuffer bytes, int length) {
            throw new AssertionError("kind=" + kind);
        }

        @Override
        protected void ended() {
            throw new AssertionError("nothing comes");
        }

        @Override
        protected void cancelled() {
            throw new AssertionError("nothing comes");
        }

        @Override
        public void fail(RpcException cause) {
            throw new AssertionError(cause);
        }

        @Override
        protected void stopReceiving(String why) {
            throw new AssertionError(why);
        }

        @Override
        protected void outgoingEnded() {
            throw new AssertionError("the publisher does not end");
        }

        @Override
        protected void outgoingFailed(Throwable cause) {
            throw new AssertionError(cause);
        }

        @Override
        protected RpcException failure() {
            return null;
        }

        @Override
        protected Executor executor() {
            return null;
        }

        @Override
        protected boolean isCancelTheEnd() {
            return true;
        }
    }

    /** Counts what its subscriber does. */
    private static final class Counted implements Flow.Subscription {

        private final AtomicInteger cancels = new AtomicInteger();
        private final AtomicInteger requests = new AtomicInteger();

        @Override
        public void request(long count) {
            requests.incrementAndGet();
        }

        @Override
        public void cancel() {
            cancels.incrementAndGet();
        }
    }

    private OutflowSubscriber<Long> subscribed(Counted subscription, Outflow out) {
        OutflowSubscriber<Long> subscriber = new OutflowSubscriber<>(new Still(session), out, StreamCodec.LONG);
        subscriber.onSubscribe(subscription);
        return subscriber;
    }

    private Outflow outflow() {
        return new Outflow(null, memory, 4096, 1024, Long.BYTES, null);
    }

    @Test
    void aPublisherIsAskedAndThenCancelledOnce() {
        Counted subscription = new Counted();
        Outflow out = outflow();
        OutflowSubscriber<Long> subscriber = subscribed(subscription, out);
        assertEquals(1, subscription.requests.get());
        out.close();
        subscriber.roomy();
        subscriber.onNext(1L);
        subscriber.roomy();
        assertEquals(1, subscription.cancels.get());
        assertEquals(1, subscription.requests.get());
    }

    /** Whoever polls hears that the peer wants no more while the publisher's thread brings an element. */
    @Test
    void aPublisherIsCancelledOnceByTwoThreads() {
        long startNs = System.nanoTime();
        for (int round = 0; round < MOST_ROUNDS && System.nanoTime() - startNs < MOST_NS; round++) {
            Counted subscription = new Counted();
            Outflow out = outflow();
            OutflowSubscriber<Long> subscriber = subscribed(subscription, out);
            out.close();
            AtomicInteger waiting = new AtomicInteger(2);
            CompletableFuture<Void> publisher = CompletableFuture.runAsync(() -> {
                meet(waiting);
                subscriber.onNext(1L);
            });
            meet(waiting);
            subscriber.roomy();
            Await.join(publisher);
            assertEquals(1, subscription.cancels.get(), "round=" + round);
        }
    }

    private static void meet(AtomicInteger waiting) {
        waiting.decrementAndGet();
        while (waiting.get() > 0) {
            Thread.onSpinWait();
        }
    }
}
