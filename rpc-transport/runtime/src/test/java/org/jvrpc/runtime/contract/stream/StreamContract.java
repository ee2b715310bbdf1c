package org.jvrpc.runtime.contract.stream;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;
import org.jvrpc.api.stream.StreamReader;
import org.jvrpc.api.stream.Streams;
import org.jvrpc.runtime.contract.Await;

/** Streams of every shape, by subscribers and by threads that wait. */
public abstract class StreamContract extends StreamFixture {

    @Test
    void aSubscriberGetsEachElementOfAResultInOrder() throws Exception {
        for (int batch : new int[] {1, 7, 5000}) {
            Collector<Feed.Tick> ticks = Collector.of(feed().ticks("ACME", 3000), batch);
            assertEquals("complete", ticks.ended());
            assertEquals(3000, ticks.elements.size());
            for (int i = 0; i < 3000; i++) {
                assertEquals(new Feed.Tick(i, "ACME", i / 2.0), ticks.elements.get(i));
            }
            close();
            made.clear();
        }
    }

    @Test
    void aReaderGetsEachElementOfAResultInOrder() {
        try (StreamReader.OfLong reader = Streams.longReader(feed().count(100_000))) {
            for (long i = 0; i < 100_000; i++) {
                assertEquals(i, reader.nextLong());
            }
            assertEquals(false, reader.hasNext());
        }
    }

    @Test
    void buffersOfAnyLengthComeWhole() {
        Feed feed = feed();
        for (int length : new int[] {0, 1, 1000, 16_380, 16_384, 70_000, (1 << 18) - 8}) {
            try (StreamReader<ByteBuffer> reader = Streams.reader(feed.buffers(length, 20))) {
                for (int i = 0; i < 20; i++) {
                    ByteBuffer next = reader.next();
                    assertEquals(length, next.remaining());
                    for (int at = 0; at < length; at += 97) {
                        assertEquals((byte) i, next.get(at));
                    }
                }
                assertEquals(false, reader.hasNext());
            }
        }
    }

    @Test
    void aHandlerReadsAnArgumentThatItsCallerWrites() {
        Feed feed = feed();
        assertEquals(4999 * 5000L / 2, feed.sum(Streams.writingLongs(writer -> {
            for (long i = 0; i < 5000; i++) {
                writer.writeLong(i);
            }
        })));
        assertEquals(0, feed.sum(Streams.writingLongs(writer -> { })));
    }

    @Test
    void aHandlerReadsAnArgumentThatIsPublished() throws Exception {
        Feed feed = feed();
        assertEquals(4999 * 5000L / 2, feed.sum(new Range<>(5000, Long::valueOf, null, impl.cancels)));
        assertEquals(4999 * 5000L / 2, Await.outcome(
                feed.sumLater(new Range<>(5000, Long::valueOf, null, impl.cancels))));
        assertEquals(0, impl.cancels.get());
    }

    @Test
    void linesGoThereAndBack() {
        Feed feed = feed();
        Collector<String> loud = Collector.of(feed.shout(new Range<>(1000, i -> "line " + i, null, impl.cancels)), 10);
        assertEquals("complete", loud.ended());
        assertEquals(1000, loud.elements.size());
        assertEquals("LINE 999", loud.elements.get(999));
        Collector<String> same = Collector.of(feed.mirror(new Range<>(1000, i -> "line " + i, null, impl.cancels)), 1);
        assertEquals("complete", same.ended());
        assertEquals("line 999", same.elements.get(999));
    }

    @Test
    void aDeclaredExceptionEndsAResultBehindItsElements() throws Exception {
        Feed feed = feed();
        Collector<Feed.Tick> ticks = Collector.of(feed.ticks("broken", 10), 3);
        assertEquals("failed", ticks.ended());
        assertEquals("broken", assertInstanceOf(Feed.NoFeedException.class, ticks.failure).symbol());
        assertEquals(10, ticks.elements.size());
        Collector<Feed.Tick> none = Collector.of(feed.ticks("none", 10), 3);
        assertEquals("failed", none.ended());
        assertEquals("none", assertInstanceOf(Feed.NoFeedException.class, none.failure).symbol());
    }
}
