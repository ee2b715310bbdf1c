package org.jvrpc.runtime.contract.stream;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.jvrpc.api.RpcException;
import org.jvrpc.api.Status;
import org.jvrpc.api.stream.StreamReader;
import org.jvrpc.api.stream.Streams;
import org.jvrpc.runtime.RpcClient;
import org.jvrpc.runtime.RpcServer;
import org.jvrpc.runtime.contract.Await;
import org.jvrpc.testing.ChildJvm;

/** Streams between two processes, one of which is killed in their midst. */
public abstract class StreamDeathContract extends StreamFixture {

    private static final Duration IDLE = Duration.ofSeconds(1);
    private static final long ENOUGH = 2000;

    private Feed at(String address) {
        RpcClient client = RpcClient.builder(clientAddress(address)).keepAlive(IDLE).connect();
        made.add(0, client);
        return client.stub(Feed.class);
    }

    private static void goesOn(Feed feed) {
        try (StreamReader.OfLong reader = Streams.longReader(feed.count(50_000))) {
            for (long i = 0; i < 50_000; i++) {
                assertEquals(i, reader.nextLong());
            }
            assertFalse(reader.hasNext());
        }
        assertEquals(4999 * 5000L / 2, feed.sum(Streams.writingLongs(writer -> {
            for (long i = 0; i < 5000; i++) {
                writer.writeLong(i);
            }
        })));
    }

    @Test
    void streamsOfEveryShapeGoBetweenTwoProcesses() throws Exception {
        String address = newAddress();
        try (ChildJvm server = StreamChild.start("serve", address)) {
            Feed feed = at(address);
            goesOn(feed);
            assertEquals(20 * 70_000L, feed.measure(Streams.writing(writer -> {
                byte[] bytes = new byte[70_000];
                for (int i = 0; i < 20; i++) {
                    Arrays.fill(bytes, (byte) i);
                    writer.write(ByteBuffer.wrap(bytes));
                }
            })));
            Collector<String> loud = Collector.of(
                    feed.shout(new Range<>(1000, i -> "line " + i, null, impl.cancels)), 10);
            assertEquals("complete", loud.ended());
            assertEquals("LINE 999", loud.elements.get(999));
            assertTrue(server.isAlive());
        }
    }

    /** Begins streams of every kind without end; none ends by itself. */
    private static List<CompletableFuture<?>> endless(Feed feed, List<AtomicLong> turns) {
        List<CompletableFuture<?>> all = new ArrayList<>();
        for (int i = 0; i < 2; i++) {
            AtomicLong read = turn(turns);
            all.add(Await.start(() -> {
                try (StreamReader.OfLong reader = Streams.longReader(feed.count(Long.MAX_VALUE))) {
                    while (reader.nextLong() >= 0) {
                        read.incrementAndGet();
                    }
                }
                return null;
            }));
            AtomicLong written = turn(turns);
            all.add(Await.start(() -> feed.sum(Streams.writingLongs(writer -> {
                while (true) {
                    writer.writeLong(1);
                    written.incrementAndGet();
                }
            }))));
        }
        Collector<Long> silent = Collector.of(feed.silence(), 1);
        all.add(Await.start(() -> {
            assertEquals("failed", silent.ended());
            throw assertInstanceOf(RpcException.class, silent.failure);
        }));
        return all;
    }

    private static AtomicLong turn(List<AtomicLong> turns) {
        AtomicLong turn = new AtomicLong();
        turns.add(turn);
        return turn;
    }

    @Test
    void aKilledServerEndsStreamsInTheirMidstAndItsSuccessorServesTheSameStub() {
        String address = newAddress();
        ChildJvm server = StreamChild.start("serve", address);
        try {
            Feed feed = at(address);
            for (int round = 0; round < 2; round++) {
                List<AtomicLong> turns = new ArrayList<>();
                List<CompletableFuture<?>> under = endless(feed, turns);
                Await.until("streams to be under way", () -> turns.stream().allMatch(turn -> turn.get() > ENOUGH));
                server.kill();
                for (CompletableFuture<?> stream : under) {
                    Object outcome = Await.outcome(stream);
                    assertEquals(Status.UNAVAILABLE,
                            assertInstanceOf(RpcException.class, outcome, String.valueOf(outcome)).status());
                }
                server.close();
                server = StreamChild.start("serve", address);
                Await.until("the successor to be found", () -> serves(feed));
                goesOn(feed);
            }
        } finally {
            server.close();
        }
    }

    private static boolean serves(Feed feed) {
        try {
            return feed.add(1, 2) == 3;
        } catch (RpcException e) {
            assertEquals(Status.UNAVAILABLE, e.status());
            return false;
        }
    }

    @Test
    void aKilledClientEndsItsHandlersAndDisturbsNobody() throws Exception {
        RpcServer server = serve(builder -> builder.keepAlive(IDLE));
        Feed feed = connect(server, builder -> builder).stub(Feed.class);
        goesOn(feed);
        for (String role : new String[] {"read", "write"}) {
            impl.ends.clear();
            try (ChildJvm victim = StreamChild.start(role, clientAddress(server.address()))) {
                victim.kill();
                Await.until("the handler of the dead to end", () -> !impl.ends.isEmpty());
                goesOn(feed);
            }
        }
        server.shutdown();
        assertTrue(server.awaitTermination(Duration.ofSeconds(30)), "streams of the dead are under way");
    }
}
