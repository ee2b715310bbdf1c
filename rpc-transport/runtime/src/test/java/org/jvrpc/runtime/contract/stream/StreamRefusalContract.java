package org.jvrpc.runtime.contract.stream;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Flow;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.jvrpc.api.RpcException;
import org.jvrpc.api.Status;
import org.jvrpc.api.stream.StreamReader;
import org.jvrpc.api.stream.Streams;
import org.jvrpc.runtime.RpcServer;
import org.jvrpc.runtime.SessionLimits;
import org.jvrpc.runtime.contract.Await;

/** Streams that find no room, and what is said of calls that never ran. */
public abstract class StreamRefusalContract extends StreamFixture {

    private static final int WINDOW = 1 << 16;
    private static final int MOST_STREAMS = 1024;

    private static void refused(Status status, String text, Throwable failure) {
        RpcException e = assertInstanceOf(RpcException.class, failure);
        assertEquals(status, e.status(), e.getMessage());
        assertTrue(e.getMessage().contains(text), e.getMessage());
        assertFalse(e.mayHaveRun(), "it says that it may have run: " + e.getMessage());
    }

    private static Flow.Publisher<Long> endless() {
        return Streams.writingLongs(writer -> {
            for (long i = 0;; i++) {
                writer.writeLong(i);
            }
        });
    }

    /** Three longs a turn, without an end. */
    private static Flow.Publisher<Long> inThrees(Semaphore turns) {
        return Streams.writingLongs(writer -> {
            for (long i = 0;; i++) {
                if (i % 3 == 0) {
                    writer.flush();
                    assertTrue(turns.tryAcquire(60, TimeUnit.SECONDS), "nobody has it go on");
                }
                writer.writeLong(i);
            }
        });
    }

    // ---- memory

    @Test
    void aGreedySessionLeavesMemoryForAnother() {
        RpcServer server = serve(builder -> builder.streamWindow(WINDOW)
                .limits(new SessionLimits().streamMemory(1 << 20, 1 << 20)));
        Feed greedy = connect(server, builder -> builder).stub(Feed.class);
        Collector<Long> first = new Collector<>(0);
        impl.consumer = first;
        Semaphore turns = new Semaphore(2); // of three elements each: what takes turns at the receiver is there by then
        CompletableFuture<Long> kept = greedy.consume(inThrees(turns));
        Await.until("the first handler to subscribe", () -> first.upstream != null);
        first.upstream.request(6);
        Await.until("its elements", () -> first.elements.equals(List.of(0L, 1L, 2L, 3L, 4L, 5L)));
        List<CompletableFuture<Long>> more = new ArrayList<>();
        for (int i = 0; i < 40; i++) { // of a window each, and there are sixteen
            impl.consumer = new Collector<>(0);
            more.add(greedy.consume(endless()));
        }
        Await.until("a stream to find no memory", () -> more.stream().anyMatch(CompletableFuture::isDone));
        CompletableFuture<Long> refused = more.stream().filter(CompletableFuture::isDone).findFirst().orElseThrow();
        RpcException e = assertInstanceOf(RpcException.class, Await.outcome(refused));
        assertEquals(Status.RESOURCE_EXHAUSTED, e.status(), e.getMessage());
        assertTrue(e.getMessage().matches(".*memory of all streams: used=\\d+ limit=1048576.*needed=\\d+ left=\\d+.*"),
                e.getMessage());
        Feed modest = connect(server, builder -> builder).stub(Feed.class);
        assertEquals(99_999L * 100_000 / 2, modest.sum(new Range<>(100_000, Long::valueOf, null, impl.cancels)));
        assertFalse(kept.isDone(), "the greedy session's first stream goes on");
        first.upstream.request(3);
        turns.release();
        Await.until("more of its elements", () -> first.elements.size() == 9);
        more.forEach(each -> each.cancel(true));
    }

    @Test
    void memoryOfAStreamIsThatOfItsSession() {
        RpcServer server = serve(builder -> builder.streamWindow(1 << 22)
                .limits(new SessionLimits().streamMemory(1 << 20, 1 << 26)));
        Feed feed = connect(server, builder -> builder).stub(Feed.class);
        impl.consumer = new Collector<>(0);
        RpcException e = assertInstanceOf(RpcException.class, Await.outcome(feed.consume(endless())));
        assertEquals(Status.RESOURCE_EXHAUSTED, e.status(), e.getMessage());
        assertTrue(e.getMessage().matches(".*memory of a session's streams: used=\\d+ needed=\\d+ limit=1048576.*"),
                e.getMessage());
        assertEquals(3, feed.sum(new Range<>(3, Long::valueOf, null, impl.cancels)));
    }

    // ---- calls that never ran

    @Test
    void aCallThatNoServerHearsOfSaysSo() {
        RpcServer server = serve(builder -> builder);
        Feed feed = connect(server, builder -> builder.reconnect(false)).stub(Feed.class);
        server.shutdownNow(); // before the first stream, whose session is made with it
        refused(Status.UNAVAILABLE, "", assertThrows(RpcException.class, () -> feed.sum(endless())));
        Collector<Feed.Tick> ticks = Collector.of(ticks(feed, "ACME", 1), 1);
        assertEquals("failed", ticks.ended());
        refused(Status.UNAVAILABLE, "", ticks.failure);
    }

    @Test
    void aCallThatAServerRefusesWhileItDrainsSaysSo() {
        RpcServer server = serve(builder -> builder);
        Feed feed = connect(server, builder -> builder.reconnect(false)).stub(Feed.class);
        Collector<Long> silent = Collector.of(feed.silence(), 1);
        Await.until("the handler's publisher to be subscribed", () -> impl.subscribed.get() == 1);
        server.shutdown();
        RpcException e = assertThrows(RpcException.class, () -> feed.sum(endless()));
        refused(Status.UNAVAILABLE, "", e);
        silent.upstream.cancel();
    }

    @Test
    void aStreamMoreThanThereMayBeIsRefusedAndOthersGoOn() {
        Feed feed = feed();
        List<Collector<Long>> silent = new ArrayList<>();
        for (int i = 0; i < MOST_STREAMS; i++) {
            silent.add(Collector.of(feed.silence(), 1));
        }
        Await.until("all to be open", () -> impl.subscribed.get() == MOST_STREAMS);
        Collector<Long> oneMore = Collector.of(feed.silence(), 1);
        assertEquals("failed", oneMore.ended());
        refused(Status.RESOURCE_EXHAUSTED, "too many streams are open: 1024", oneMore.failure);
        silent.remove(0).upstream.cancel();
        Await.until("its place to be free", () -> impl.cancels.get() == 1);
        assertEquals("complete", Collector.of(ticks(feed, "ACME", 3), 10).ended());
        assertTrue(silent.stream().noneMatch(each -> each.end.isDone()), "the others are open");
    }

    @Test
    void aHandlersFailureMayHaveRunWhateverItSays() {
        Feed feed = feed();
        Collector<Long> failed = Collector.of(feed.custom(), 1);
        assertEquals("failed", failed.ended());
        assertTrue(assertInstanceOf(RpcException.class, failed.failure).mayHaveRun());
        impl.custom = subscriber -> {
            throw RpcException.notRun(Status.UNAVAILABLE, "said by a handler");
        };
        Collector<Long> liar = Collector.of(feed.custom(), 1);
        assertEquals("failed", liar.ended());
        RpcException e = assertInstanceOf(RpcException.class, liar.failure);
        assertEquals(Status.UNAVAILABLE, e.status());
        assertTrue(e.mayHaveRun());
    }

    // ---- heavy calls

    @Test
    void heavyStreamsBeyondTheQueuesLimitAreRefusedAndThoseThatWaitRunInTurn() {
        ExecutorService one = Executors.newSingleThreadExecutor();
        made.add(one::shutdownNow);
        RpcServer server = serve(builder -> builder.executor(one).queuedCalls(2));
        Feed feed = connect(server, builder -> builder).stub(Feed.class);
        StreamReader.OfLong running = Streams.longReader(feed.count(Long.MAX_VALUE));
        assertEquals(0, running.nextLong());
        List<Collector<Long>> waiting = List.of(Collector.of(feed.count(3), 10), Collector.of(feed.count(3), 10));
        Collector<Long> refused = Collector.of(feed.count(3), 10);
        assertEquals("failed", refused.ended());
        refused(Status.RESOURCE_EXHAUSTED, "too many heavy calls wait for the executor: waiting=2 limit=2",
                refused.failure);
        running.close();
        for (Collector<Long> each : waiting) {
            assertEquals("complete", each.ended());
            assertEquals(List.of(0L, 1L, 2L), each.elements);
        }
    }

    @Test
    void callersOfStreamsWhoGiveUpHoldNoPlaceInTheQueue() {
        int limit = 3;
        BlockingQueue<Runnable> held = new LinkedBlockingQueue<>();
        ExecutorService one = new ThreadPoolExecutor(1, 1, 0, TimeUnit.SECONDS, held);
        made.add(one::shutdownNow);
        RpcServer server = serve(builder -> builder.executor(one).queuedCalls(limit));
        Feed fickle = connect(server, builder -> builder).stub(Feed.class);
        StreamReader.OfLong running = Streams.longReader(fickle.count(Long.MAX_VALUE));
        assertEquals(0, running.nextLong());
        for (int i = 0; i < 20 * limit; i++) {
            Collector.of(fickle.count(3), 10).upstream.cancel();
            assertEquals("complete", Collector.of(ticks(fickle, "ACME", 1), 2).ended(), "both are received");
        }
        assertTrue(held.size() <= limit, "tasks that the executor has: " + held.size());
        Feed steady = connect(server, builder -> builder).stub(Feed.class);
        List<Collector<Long>> waiting = new ArrayList<>();
        for (int i = 0; i < limit; i++) {
            waiting.add(Collector.of(steady.count(3), 10));
        }
        assertEquals("complete", Collector.of(ticks(steady, "ACME", 1), 2).ended(), "all are received");
        running.close();
        for (Collector<Long> each : waiting) {
            assertEquals("complete", each.ended(), String.valueOf(each.failure));
            assertEquals(List.of(0L, 1L, 2L), each.elements);
        }
    }
}
