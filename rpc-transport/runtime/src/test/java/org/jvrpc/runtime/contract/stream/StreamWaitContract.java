package org.jvrpc.runtime.contract.stream;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Flow;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.jvrpc.api.CallOptions;
import org.jvrpc.api.RpcException;
import org.jvrpc.api.Status;
import org.jvrpc.api.stream.StreamPipe;
import org.jvrpc.api.stream.StreamReader;
import org.jvrpc.api.stream.Streams;
import org.jvrpc.runtime.RpcClient;
import org.jvrpc.runtime.RpcServer;
import org.jvrpc.runtime.contract.Await;

/** Who may wait for a stream, and that each wait ends. */
public abstract class StreamWaitContract extends StreamFixture {

    private static void mustNotWait(Throwable thrown) {
        RpcException e = assertInstanceOf(RpcException.class, thrown);
        assertEquals(Status.FAILED_PRECONDITION, e.status(), e.getMessage());
        assertTrue(e.getMessage().contains("must not wait for a stream"), e.getMessage());
    }

    @Test
    void aLightHandlerThatReadsBlockinglyIsRefusedWhetherOrNotThereAreElements() {
        Feed feed = feed();
        for (int count : new int[] {0, 5}) {
            mustNotWait((Throwable) Await.outcome(feed.firstByALightHandler(
                    new Range<>(count, Long::valueOf, null, impl.cancels))));
        }
        assertEquals("complete", Collector.of(ticks(feed, "ACME", 10), 3).ended());
    }

    /** Has a client's callback do something; returns what that threw, or null. */
    private Throwable inACallback(Feed feed, Consumer<Feed> work) {
        CompletableFuture<Throwable> thrown = new CompletableFuture<>();
        ticks(feed, "ACME", 1).subscribe(new Collector<>(1) {
            @Override
            public void onNext(Feed.Tick tick) {
                try {
                    work.accept(feed);
                    thrown.complete(null);
                } catch (Throwable t) {
                    thrown.complete(t);
                }
            }
        });
        return (Throwable) Await.outcome(thrown);
    }

    @Test
    void aCallbackThatWaitsIsRefusedHoweverItWaits() {
        Feed feed = feed();
        mustNotWait(inACallback(feed, own -> Streams.longReader(own.count(1)).nextLong()));
        mustNotWait(inACallback(feed, own -> own.sum(new Range<>(5, Long::valueOf, null, impl.cancels))));
        mustNotWait(inACallback(feed, own -> own.sumLater(Streams.<Long>pipe(Duration.ofHours(1)).publisher()).join()));
        mustNotWait(inACallback(feed, own -> own.sumLater(Streams.<Long>pipe(Duration.ofHours(1)).publisher())
                .thenApply(sum -> sum).join()));
        assertEquals("complete", Collector.of(ticks(feed, "ACME", 10), 3).ended());
    }

    @Test
    void anInterruptEndsAReadersWait() {
        Feed feed = feed();
        AtomicReference<Thread> reading = new AtomicReference<>();
        CompletableFuture<Throwable> thrown = Await.start(() -> {
            reading.set(Thread.currentThread());
            try (StreamReader<Long> reader = Streams.reader(feed.silence())) {
                return assertThrows(RpcException.class, reader::hasNext);
            }
        });
        Await.until("the handler's publisher to be subscribed", () -> impl.subscribed.get() == 1);
        reading.get().interrupt();
        RpcException e = assertInstanceOf(RpcException.class, Await.outcome(thrown));
        assertEquals(Status.CANCELLED, e.status(), e.getMessage());
        Await.until("the handler's subscription to be cancelled", () -> impl.cancels.get() == 1);
    }

    @Test
    void aCallThatFailsBeforeItIsMadeEndsTheWaitOfItsPipesWriter() {
        RpcServer server = serve(builder -> builder);
        RpcClient client = connect(server, builder -> builder.reconnect(false));
        Feed feed = client.stub(Feed.class);
        StreamPipe<Long> pipe = Streams.pipe(Duration.ofHours(1));
        CompletableFuture<Throwable> writing = Await.start(
                () -> assertThrows(RpcException.class, () -> pipe.write(1L)));
        client.close();
        assertThrows(RpcException.class, () -> feed.sum(pipe.publisher()));
        assertEquals(Status.UNAVAILABLE, assertInstanceOf(RpcException.class, Await.outcome(writing)).status());
    }

    @Test
    void aWriterOfAHandlersPipeEndsWithItsCall() {
        RpcClient client = connect(serve(builder -> builder), builder -> builder);
        Await.inTime("the handler to write", Duration.ofMillis(200), time -> {
            impl.custom = waitingPipe();
            Feed feed = client.stub(Feed.class, CallOptions.DEFAULT.withDeadlineAfter(time));
            Collector<Long> late = Collector.of(feed.custom(), 1);
            assertEquals("failed", late.ended());
            assertEquals(Status.DEADLINE_EXCEEDED, assertInstanceOf(RpcException.class, late.failure).status(),
                    late.failure.toString());
            boolean began = impl.begun.get() > 0;
            Await.until("its writer to hear of it", () -> impl.ends.size() == impl.begun.get());
            return began;
        });
    }

    /** A result whose writer waits for a pipe that nobody subscribes to. */
    private Flow.Publisher<Long> waitingPipe() {
        StreamPipe<Long> pipe = Streams.pipe(Duration.ofHours(1));
        return Streams.writing(writer -> {
            impl.begun.incrementAndGet();
            try {
                pipe.write(1L);
            } catch (RpcException e) {
                impl.ends.add(e.status().toString());
                throw e;
            }
        });
    }

    @Test
    void aReaderOfAHandlerEndsWithItsClient() {
        RpcServer server = serve(builder -> builder);
        RpcClient client = connect(server, builder -> builder);
        StreamPipe<Long> pipe = Streams.pipe(Duration.ofHours(1));
        CompletableFuture<Object> caller = Await.start(() -> client.stub(Feed.class).sum(pipe.publisher()));
        pipe.write(1L);
        pipe.flush();
        Await.until("the handler to begin", () -> impl.begun.get() == 1);
        Await.asleep("jvrpc-heavy");
        client.close();
        assertInstanceOf(RpcException.class, Await.outcome(caller));
        Await.until("its wait to end", () -> impl.ends.size() == 1);
    }

    @Test
    void anInterruptEndsAHandlersWaitAndItsCall() {
        AtomicReference<Thread> running = new AtomicReference<>();
        ExecutorService one = Executors.newSingleThreadExecutor(work -> {
            running.set(new Thread(work, "own-heavy"));
            return running.get();
        });
        made.add(one::shutdownNow);
        Feed feed = connect(serve(builder -> builder.executor(one)), builder -> builder).stub(Feed.class);
        StreamPipe<Long> pipe = Streams.pipe(Duration.ofHours(1));
        CompletableFuture<Object> caller = Await.start(() -> feed.sum(pipe.publisher()));
        Await.until("the call to end", () -> {
            Thread handler = running.get();
            if (handler != null) {
                handler.interrupt();
            }
            return caller.isDone();
        });
        RpcException e = assertInstanceOf(RpcException.class, Await.outcome(caller));
        assertEquals(Status.CANCELLED, e.status(), e.getMessage());
        assertTrue(e.mayHaveRun(), e.getMessage());
    }

    @Test
    void aCallWhoseReaderMustNotWaitMayHaveRunAndOneThatIsNotMadeHasNot() {
        Feed feed = feed();
        Throwable made = inACallback(feed, own -> Streams.longReader(own.count(1)).nextLong());
        mustNotWait(made);
        assertTrue(((RpcException) made).mayHaveRun(), made.getMessage());
        Throwable unmade = inACallback(feed, own -> own.sum(new Range<>(5, Long::valueOf, null, impl.cancels)));
        mustNotWait(unmade);
        assertFalse(((RpcException) unmade).mayHaveRun(), unmade.getMessage());
    }
}
