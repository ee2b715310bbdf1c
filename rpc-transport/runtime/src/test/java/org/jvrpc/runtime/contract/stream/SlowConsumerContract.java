package org.jvrpc.runtime.contract.stream;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.management.BufferPoolMXBean;
import java.lang.management.ManagementFactory;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Flow;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.jvrpc.api.stream.StreamReader;
import org.jvrpc.api.stream.Streams;
import org.jvrpc.runtime.RpcServer;
import org.jvrpc.runtime.SessionLimits;
import org.jvrpc.runtime.contract.Await;

/**
 * Producers that always have more, and consumers that take some now and then, both ways at once: what streams have in
 * memory stays within their windows, and nothing grows. {@code -Djvrpc.slowconsumer.seconds=600} goes on for so long.
 */
public abstract class SlowConsumerContract extends StreamFixture {

    private static final long SECONDS = Long.getLong("jvrpc.slowconsumer.seconds", 2);
    private static final int WINDOW = 1 << 16;
    /** At its receiver a stream has two buffers, of a window each; the smaller ones that they grew from are kept. */
    private static final long MOST_DIRECT_BYTES = 10 * WINDOW;
    private static final long MOST_GROWTH_BYTES = 1 << 20;
    /** An object for each of so many elements would be more than that. */
    private static final long LEAST_ELEMENTS = 100_000;
    private static final long WARM = 20_000;
    private static final int BATCH = 256;
    private static final long PAUSE_NS = 1_000_000;

    /** Keeps no element. */
    private static final class Counting implements Flow.Subscriber<Long> {

        final AtomicLong count = new AtomicLong();
        volatile Flow.Subscription upstream;
        volatile String wrong;

        @Override
        public void onSubscribe(Flow.Subscription subscription) {
            upstream = subscription;
        }

        @Override
        public void onNext(Long element) {
            if (element != count.get()) {
                wrong = "element=" + element + " expected=" + count;
            }
            count.incrementAndGet();
        }

        @Override
        public void onError(Throwable cause) {
            wrong = cause.toString();
        }

        @Override
        public void onComplete() {
            wrong = "an end";
        }
    }

    private static long direct() {
        return ManagementFactory.getPlatformMXBeans(BufferPoolMXBean.class).stream()
                .filter(pool -> pool.getName().equals("direct")).findFirst().orElseThrow().getMemoryUsed();
    }

    private static long heap() {
        long least = Long.MAX_VALUE;
        for (int i = 0; i < 4; i++) {
            System.gc();
            Runtime runtime = Runtime.getRuntime();
            least = Math.min(least, runtime.totalMemory() - runtime.freeMemory());
        }
        return least;
    }

    /** Takes some at both sides. */
    private static void take(StreamReader.OfLong reader, long first, Counting counting) {
        for (int i = 0; i < BATCH; i++) {
            assertEquals(first + i, reader.nextLong());
        }
        counting.upstream.request(BATCH);
        Await.until("the server to have what it asked for", () -> counting.count.get() == first + BATCH);
        assertEquals(null, counting.wrong);
    }

    @Test
    @Timeout(1800)
    void memoryStaysWithinTheWindowsAndDoesNotGrow() {
        RpcServer server = serve(builder -> builder.streamWindow(WINDOW)
                .limits(new SessionLimits().streamMemory(1 << 20, 1 << 20)));
        Feed feed = connect(server, builder -> builder.streamWindow(WINDOW)).stub(Feed.class);
        assertEquals("complete", Collector.of(ticks(feed, "ACME", 10), 10).ended()); // connects
        long directBefore = direct();
        Counting counting = new Counting();
        impl.consumer = counting;
        CompletableFuture<Long> argument = feed.consume(Streams.writingLongs(writer -> {
            for (long i = 0;; i++) {
                writer.writeLong(i);
            }
        }));
        Await.until("the handler to subscribe", () -> counting.upstream != null);
        try (StreamReader.OfLong reader = Streams.longReader(feed.count(Long.MAX_VALUE))) {
            long taken = 0;
            for (; taken < WARM; taken += BATCH) {
                take(reader, taken, counting);
            }
            long heapBefore = heap();
            long startNs = System.nanoTime();
            long from = taken;
            while (System.nanoTime() - startNs < SECONDS * 1_000_000_000L || taken - from < LEAST_ELEMENTS) {
                take(reader, taken, counting);
                taken += BATCH;
                LockSupport.parkNanos(PAUSE_NS);
                long direct = direct() - directBefore;
                assertTrue(direct <= MOST_DIRECT_BYTES, "direct memory grew by " + direct);
            }
            long growth = heap() - heapBefore;
            System.out.println(getClass().getSimpleName() + ": seconds=" + SECONDS + " elements=" + 2 * (taken - from)
                    + " heap growth=" + growth + " direct=" + (direct() - directBefore) + " windows=" + 2 * WINDOW);
            assertTrue(growth < MOST_GROWTH_BYTES, "heap grew by " + growth + " in elements=" + 2 * (taken - from));
        }
        assertEquals(false, argument.isDone());
        argument.cancel(true);
    }
}
