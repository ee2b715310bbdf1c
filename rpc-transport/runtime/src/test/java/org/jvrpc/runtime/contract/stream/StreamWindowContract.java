package org.jvrpc.runtime.contract.stream;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.jvrpc.api.RpcException;
import org.jvrpc.api.Status;
import org.jvrpc.api.stream.StreamReader;
import org.jvrpc.api.stream.Streams;
import org.jvrpc.runtime.RpcServer;
import org.jvrpc.runtime.contract.Await;

/** How much of streams is under way, and that a slow one holds up no other. */
public abstract class StreamWindowContract extends StreamFixture {

    private static final int WINDOW = 1 << 14;

    private Feed narrow() {
        RpcServer server = serve(builder -> builder.streamWindow(WINDOW));
        return connect(server, builder -> builder.streamWindow(WINDOW)).stub(Feed.class);
    }

    @Test
    void aPublisherIsAskedForNoMoreThanTheWindowsOfAConsumerThatAsksForNothing() {
        AtomicLong made = new AtomicLong();
        impl.custom = new Range<>(Long.MAX_VALUE / 4, i -> made.incrementAndGet(), null, impl.cancels);
        Feed feed = narrow();
        Collector<Long> slow = Collector.of(feed.custom(), 0);
        Await.until("a window of elements", () -> made.get() >= WINDOW / Long.BYTES);
        for (int i = 0; i < 100; i++) { // others go on meanwhile
            Collector<Feed.Tick> ticks = Collector.of(ticks(feed, "ACME", 50), 7);
            assertEquals("complete", ticks.ended());
        }
        assertTrue(made.get() <= 3 * WINDOW / Long.BYTES, "elements made: " + made);
        assertEquals(0, slow.elements.size());
        slow.upstream.request(10);
        Await.until("those that were asked for", () -> slow.elements.size() == 10);
        slow.upstream.cancel();
        Await.until("the publisher's end", () -> impl.cancels.get() == 1);
    }

    @Test
    void aWriterWaitsForAReaderThatDoesNotRead() {
        Feed feed = narrow();
        AtomicInteger written = new AtomicInteger();
        try (StreamReader<String> reader = Streams.reader(feed.mirror(Streams.writing(writer -> {
            while (written.get() < 100_000) {
                writer.write("line " + written.get());
                written.incrementAndGet();
            }
        })))) {
            assertEquals("line 0", reader.next());
            Await.asleep("jvrpc-stream-writer");
            assertTrue(written.get() < 100_000 && written.get() > 100, "written: " + written);
            for (int i = 1; i < 100_000; i++) {
                assertEquals("line " + i, reader.next());
            }
            assertEquals(false, reader.hasNext());
        }
    }

    @Test
    void anElementLongerThanTheWindowIsRefusedBeforeItIsSent() {
        Feed feed = narrow();
        RpcException e = assertThrows(RpcException.class, () -> feed.measure(
                Streams.writing(writer -> writer.write(ByteBuffer.allocate(WINDOW)))));
        assertEquals(Status.RESOURCE_EXHAUSTED, e.status(), e.getMessage());
        assertTrue(e.getMessage().contains("longer than the peer's window"), e.getMessage());
    }

    @Test
    void elementsOfAnyLengthArriveWholeInANarrowWindow() throws Exception {
        Feed feed = narrow();
        assertEquals(9999 * 200L, feed.measure(Streams.writing(writer -> {
            for (int i = 0; i < 200; i++) {
                ByteBuffer buffer = ByteBuffer.allocate(9999);
                java.util.Arrays.fill(buffer.array(), (byte) i);
                writer.write(buffer);
            }
        })));
    }

    @Test
    void manyStreamsOfASessionGoOnBesideEachOther() throws Exception {
        Feed feed = narrow();
        var all = new java.util.ArrayList<Collector<Feed.Tick>>();
        for (int i = 0; i < 100; i++) {
            all.add(Collector.of(ticks(feed, "S" + i, 300), 1 + i % 13));
        }
        for (int i = 0; i < 100; i++) {
            assertEquals("complete", all.get(i).ended());
            assertEquals(300, all.get(i).elements.size());
            assertEquals("S" + i, all.get(i).elements.get(299).symbol());
        }
    }
}
