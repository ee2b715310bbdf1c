package org.jvrpc.runtime.contract.beside;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Flow;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.jvrpc.api.CallOptions;
import org.jvrpc.api.ErrorDetails;
import org.jvrpc.api.Metadata;
import org.jvrpc.api.RpcException;
import org.jvrpc.api.Status;
import org.jvrpc.api.stream.StreamReader;
import org.jvrpc.api.stream.Streams;
import org.jvrpc.runtime.RpcClient;
import org.jvrpc.runtime.RpcServer;
import org.jvrpc.runtime.contract.Await;
import org.jvrpc.runtime.contract.RpcUnderTest;

/** What travels beside the ends of calls with streams: metadata, and what failures say to programs. */
@Timeout(60)
public abstract class StreamTrailersContract implements RpcUnderTest {

    private static final ErrorDetails DETAILS = ErrorDetails.of("TAPE_TORN", "tapes.acme.org").with("At", "a=ü")
            .withRetryAfter(Duration.ofMillis(3));
    private static final RpcException FAILURE =
            new RpcException(Status.ABORTED, "x".repeat(3000)).withDetails(DETAILS);
    private static final Callable<Flow.Publisher<Long>> THREE = () -> longs(3, null);

    private final TapeImpl impl = new TapeImpl();
    private final Deque<AutoCloseable> open = new ArrayDeque<>();
    private CompletableFuture<Metadata> heard = new CompletableFuture<>();
    private Tape tape;

    @BeforeEach
    void begin() {
        RpcServer server = RpcServer.builder().bind(newAddress()).service(Tape.class, impl).context(true).start();
        open.push(server);
        RpcClient client = RpcClient.builder(clientAddress(server.address())).connect();
        open.push(client);
        tape = client.stub(Tape.class, CallOptions.DEFAULT.withResponseMetadata(came -> heard.complete(came)));
        impl.script = THREE;
    }

    @AfterEach
    void end() throws Exception {
        while (!open.isEmpty()) {
            open.pop().close();
        }
    }

    /** Returns 0, 1, 2 …, and a failure behind them where that is not null. */
    private static Flow.Publisher<Long> longs(long count, RuntimeException end) {
        return Streams.writingLongs(writer -> {
            for (long i = 0; i < count; i++) {
                writer.writeLong(i);
            }
            if (end != null) {
                throw end;
            }
        });
    }

    private Flow.Publisher<Long> played() {
        try {
            return tape.play();
        } catch (Tape.TornException e) {
            throw new AssertionError(e); // a stub's stream says so at its end
        }
    }

    private static void isTheFailure(Object outcome) {
        RpcException e = assertInstanceOf(RpcException.class, outcome);
        assertEquals(Status.ABORTED, e.status(), e.getMessage());
        assertEquals(DETAILS, e.details());
        assertTrue(e.mayHaveRun());
    }

    private static Throwable failureOf(Flow.Publisher<Long> publisher) {
        return assertThrows(RpcException.class, () -> {
            try (StreamReader.OfLong reader = Streams.longReader(publisher)) {
                while (reader.hasNext()) {
                    reader.nextLong();
                }
            }
        });
    }

    private static void put(int chars) {
        put(RpcServer.context().responseMetadata(), chars);
    }

    private static void put(Metadata beside, int chars) {
        beside.put("Took", "ü".repeat(chars)).putBinary("b-bin", new byte[] {0, -1});
    }

    /** Expects what {@link #put} puts to be heard behind the call that was made. */
    private void hears(int chars) {
        Metadata came = (Metadata) Await.outcome(heard);
        heard = new CompletableFuture<>();
        assertEquals("ü".repeat(chars), came.get("took"));
        assertArrayEquals(new byte[] {0, -1}, came.getBinary("b-bin"));
    }

    // ---- what failures say to programs

    @Test
    void aHandlerThatFailsSaysWhyToPrograms() {
        impl.script = () -> {
            throw FAILURE;
        };
        isTheFailure(Await.outcome(Sum.of(played())));
        isTheFailure(Await.outcome(Sum.of(tape.playHeavily())));
        isTheFailure(failureOf(played()));
        isTheFailure(assertThrows(RpcException.class, () -> tape.record(longs(3, null))));
        isTheFailure(Await.outcome(tape.recordLater(longs(3, null))));
    }

    @Test
    void aPublisherOfAServerThatFailsSaysWhyToPrograms() {
        impl.script = () -> longs(3, FAILURE);
        isTheFailure(Await.outcome(Sum.of(played())));
        isTheFailure(Await.outcome(Sum.of(tape.playHeavily())));
        isTheFailure(failureOf(played()));
    }

    @Test
    void aPublisherOfAClientThatFailsSaysWhyToAHandlersReader() {
        assertThrows(RpcException.class, () -> tape.record(longs(3, FAILURE)));
        isTheFailure(Await.outcome(impl.heard));
    }

    @Test
    void aPublisherOfAClientThatFailsSaysWhyToAHandlersSubscriber() {
        isTheFailure(Await.outcome(tape.recordLater(longs(3, FAILURE)))); // its handler fails by it in its turn
        isTheFailure(Await.outcome(impl.heard));
    }

    @Test
    void aFailureWithoutDetailsHasNone() {
        impl.script = () -> longs(3, FAILURE.withDetails(null));
        RpcException e = assertInstanceOf(RpcException.class, Await.outcome(Sum.of(played())));
        assertEquals(Status.ABORTED, e.status());
        assertNull(e.details());
    }

    @Test
    void theLongestDetailsArrive() {
        ErrorDetails longest = ErrorDetails.of("R".repeat(63), "ü".repeat(253));
        for (int i = 0; i < ErrorDetails.MAX_ENTRIES; i++) {
            longest = longest.with("k".repeat(62) + (char) ('a' + i / 26) + (char) ('a' + i % 26), "ü".repeat(900));
        }
        RpcException failure = FAILURE.withDetails(longest);
        impl.script = () -> {
            throw failure;
        };
        RpcException e = assertInstanceOf(RpcException.class, Await.outcome(Sum.of(played())));
        assertEquals(longest, e.details());
    }

    // ---- metadata

    @Test
    void metadataTravelsBesideEveryKindOfEnd() {
        for (int chars : new int[] {1, 500, 900}) {
            impl.script = () -> {
                put(chars);
                return longs(3, null);
            };
            assertEquals(3L, Await.outcome(Sum.of(played())));
            hears(chars);
            assertEquals(3L, Await.outcome(Sum.of(tape.playHeavily())));
            hears(chars);
            assertEquals(3L, Await.outcome(tape.recordLater(longs(3, null))));
            hears(chars);
            assertEquals(3L, Await.join(Await.start(() -> tape.record(longs(3, null)))));
            hears(chars);
        }
    }

    @Test
    void metadataTravelsBesideFailures() {
        impl.script = () -> {
            put(900);
            throw FAILURE;
        };
        isTheFailure(Await.outcome(Sum.of(played())));
        hears(900);
        isTheFailure(Await.outcome(tape.recordLater(longs(3, null))));
        hears(900);
        impl.script = () -> {
            put(2);
            return longs(3, FAILURE);
        };
        isTheFailure(Await.outcome(Sum.of(played())));
        hears(2);
    }

    @Test
    void metadataTravelsBesideTheEndOfACallWhoseArgumentFailed() {
        impl.script = () -> {
            put(5);
            return null;
        };
        isTheFailure(assertThrows(RpcException.class, () -> tape.record(longs(3, FAILURE))));
        hears(5);
        isTheFailure(Await.outcome(tape.recordLater(longs(3, FAILURE))));
        hears(5);
    }

    @Test
    void aHandlerWhoseArgumentFailsMayReturnWhatItHas() {
        impl.forgives = true;
        assertEquals(3L, Await.join(Await.start(() -> tape.record(longs(3, FAILURE)))));
    }

    @Test
    void metadataTravelsBesideDeclaredExceptions() {
        impl.script = () -> {
            put(3);
            throw new Tape.TornException("torn");
        };
        assertEquals("torn", assertInstanceOf(Tape.TornException.class, Await.outcome(Sum.of(played()))).getMessage());
        hears(3);
        assertEquals("torn",
                assertThrows(Tape.TornException.class, () -> tape.record(longs(3, null))).getMessage());
        hears(3);
    }

    @Test
    void aPublisherMayPutMetadataUntilItEnds() {
        impl.script = () -> {
            Metadata beside = RpcServer.context().responseMetadata();
            return Streams.writingLongs(writer -> {
                writer.writeLong(7);
                put(beside, 4);
            });
        };
        assertEquals(7L, Await.outcome(Sum.of(played())));
        hears(4);
    }

    @Test
    void aCallWithoutMetadataHearsThatThereIsNone() {
        assertEquals(3L, Await.outcome(Sum.of(played())));
        assertTrue(((Metadata) Await.outcome(heard)).isEmpty());
    }

    @Test
    void moreMetadataThanMayTravelFailsTheCall() {
        impl.script = () -> {
            put(2000);
            return longs(3, null);
        };
        for (CompletableFuture<Long> call : List.of(
                Sum.of(played()), Sum.of(tape.playHeavily()), tape.recordLater(longs(3, null)))) {
            RpcException e = assertInstanceOf(RpcException.class, Await.outcome(call));
            assertEquals(Status.INTERNAL, e.status());
            assertTrue(e.getMessage().contains("chars=2000 limit=1024"), e.getMessage());
        }
        impl.script = THREE;
        assertEquals(3L, Await.outcome(Sum.of(played())));
    }

    @Test
    void aFailureArrivesWhoseMetadataCannotTravel() {
        impl.script = () -> {
            put(2000);
            throw FAILURE;
        };
        isTheFailure(Await.outcome(Sum.of(played())));
        assertTrue(((Metadata) Await.outcome(heard)).isEmpty());
    }
}
