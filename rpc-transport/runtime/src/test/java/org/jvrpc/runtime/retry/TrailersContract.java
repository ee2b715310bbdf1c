package org.jvrpc.runtime.retry;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.jvrpc.api.CallOptions;
import org.jvrpc.api.ErrorDetails;
import org.jvrpc.api.Metadata;
import org.jvrpc.api.RpcException;
import org.jvrpc.api.Status;
import org.jvrpc.api.retry.RetryPolicy;
import org.jvrpc.runtime.RpcClient;
import org.jvrpc.runtime.RpcServer;
import org.jvrpc.runtime.contract.Await;

/** What travels beside answers: metadata, and what failures say to programs. */
public abstract class TrailersContract extends WorkContract {

    private static final ErrorDetails DETAILS = ErrorDetails.of("OVER_QUOTA", "work.acme.org").with("Quota", "a=b")
            .withRetryAfter(Duration.ofMillis(3));

    private final List<String> seen = new CopyOnWriteArrayList<>();
    private final AtomicReference<Metadata> heard = new AtomicReference<>();

    private RpcServer noting() {
        return serve(newAddress(), builder -> builder.context(true));
    }

    private Work listening(RpcClient client) {
        return client.stub(Work.class, CallOptions.DEFAULT.withResponseMetadata(heard::set));
    }

    private String heard() {
        return heard.getAndSet(null).get("took");
    }

    private void put(int bytes) {
        work.script = run -> RpcServer.context().responseMetadata().put("Took", "ü".repeat(bytes));
    }

    @Test
    void metadataTravelsBesideEveryKindOfAnswer() {
        RpcClient client = connect(noting(), builder -> builder.slotBytes(1024));
        Work calls = listening(client);
        for (int bytes : new int[] {1, 500, 900}) {
            put(bytes);
            String expected = "ü".repeat(bytes);
            calls.get(1);
            assertEquals(expected, heard());
            calls.getHeavy(1);
            assertEquals(expected, heard());
            Await.outcome(calls.getLater(1));
            assertEquals(expected, heard());
            for (int length : new int[] {0, 100, 900, 1020, 1024, 5000, 2_000_000}) {
                assertEquals(length, calls.echo(2, new byte[length]).length);
                assertEquals(expected, heard(), "length=" + length);
            }
            assertThrows(Work.Refused.class, () -> calls.check(3));
            assertEquals(expected, heard());
        }
        work.script = run -> { };
        calls.get(1);
        assertTrue(heard.get().isEmpty());
    }

    @Test
    void interceptorsSeeItAndFuturesAndCallbacksComeAfterIt() {
        RpcClient client = connect(noting(), builder -> builder.intercept((call, next) -> {
            call.whenEnded((status, message) -> seen.add("end " + call.responseMetadata().get("took")));
            next.proceed();
            if (call.method().name().equals("get")) {
                seen.add("after " + call.responseMetadata().get("took"));
            }
        }));
        put(1);
        assertEquals(1, client.stub(Work.class).get(1));
        assertEquals(List.of("after ü", "end ü"), seen);
        seen.clear();
        client.stub(Work.class).getLater(2).thenRun(() -> seen.add("then")).join();
        assertEquals(List.of("end ü", "then"), seen);
    }

    @Test
    void moreMetadataThanMayTravelFailsTheCall() {
        RpcClient client = connect(noting());
        put(2000);
        Work calls = listening(client);
        assertTrue(failsWith(Status.INTERNAL, () -> calls.get(1)).getMessage().contains("limit=1024"));
        failsWith(Status.INTERNAL, () -> calls.getHeavy(1));
        work.script = run -> { };
        assertEquals(1, calls.get(1));
    }

    @Test
    void bytesTravelAsText() {
        RpcClient client = connect(noting());
        byte[] value = {0, -1, 127, 13};
        work.script = run -> RpcServer.context().responseMetadata().putBinary("trace-bin", value);
        listening(client).get(1);
        assertArrayEquals(value, heard.get().getBinary("Trace-Bin"));
        assertNull(heard.get().getBinary("other-bin"));
        assertThrows(IllegalArgumentException.class, () -> new Metadata().putBinary("trace", value));
        assertThrows(IllegalArgumentException.class, () -> new Metadata().putBinary("x-bin", new byte[769]));
        RpcException e = assertThrows(RpcException.class, () -> new Metadata().put("x-bin", "?").getBinary("x-bin"));
        assertEquals(Status.INVALID_ARGUMENT, e.status());
    }

    @Test
    void aFailureSaysToProgramsWhatItsHandlerSaid() {
        RpcClient client = connect(serve());
        Work calls = client.stub(Work.class);
        work.script = run -> {
            throw new RpcException(Status.RESOURCE_EXHAUSTED, "x".repeat(run * 1000)).withDetails(DETAILS);
        };
        for (int i = 0; i < 6; i++) {
            assertEquals(DETAILS, failsWith(Status.RESOURCE_EXHAUSTED, () -> calls.get(1)).details());
            assertEquals(DETAILS, failsWith(Status.RESOURCE_EXHAUSTED, () -> calls.getHeavy(2)).details());
            RpcException later = assertInstanceOf(RpcException.class, Await.outcome(calls.getLater(3)));
            assertEquals(DETAILS, later.details());
            CompletableFuture<Throwable> called = new CompletableFuture<>();
            async(client).get(4, (long result, Throwable failure) -> called.complete(failure));
            assertEquals(DETAILS, assertInstanceOf(RpcException.class, Await.outcome(called)).details());
            assertTrue(later.mayHaveRun());
        }
        work.script = run -> {
            throw new RpcException(Status.ABORTED, "no details");
        };
        assertNull(failsWith(Status.ABORTED, () -> calls.get(1)).details());
    }

    @Test
    void detailsThatCannotTravelAreLeftOutAndTheFailureArrives() {
        RpcClient client = connect(noting());
        work.script = run -> {
            RpcServer.context().responseMetadata().put("took", "x".repeat(3000));
            throw new RpcException(Status.ABORTED, "all the same").withDetails(DETAILS);
        };
        Work calls = client.stub(Work.class);
        assertEquals("all the same", failsWith(Status.ABORTED, () -> calls.get(1)).getMessage());
        assertNull(failsWith(Status.ABORTED, () -> calls.getHeavy(1)).details());
    }

    @Test
    void aServerSaysWhenACallIsMadeAgainAndThatItIsNot() {
        RpcClient client = connect(serve(), builder -> builder.retry(RetryPolicy.DEFAULT
                .withInitialBackoff(Duration.ofHours(1)).withMaxBackoff(Duration.ofHours(1))));
        work.script = run -> {
            if (run < 3) {
                throw new RpcException(Status.UNAVAILABLE, "busy").withDetails(DETAILS);
            }
        };
        assertEquals(1, client.stub(Work.class).get(1));
        assertEquals(2L, Await.outcome(async(client).get(2)));
        work.script = run -> {
            throw new RpcException(Status.UNAVAILABLE, "no").withDetails(ErrorDetails.noRetry());
        };
        RpcException e = failsWith(Status.UNAVAILABLE, () -> client.stub(Work.class).get(3));
        assertTrue(e.details().retryAfter().isNegative());
        assertEquals(1, work.runs(3));
    }

    @Test
    void whatDetailsMayBeIsChecked() {
        assertThrows(IllegalArgumentException.class, () -> ErrorDetails.of("lower", ""));
        assertThrows(IllegalArgumentException.class, () -> ErrorDetails.of("A".repeat(64), ""));
        assertThrows(IllegalArgumentException.class, () -> ErrorDetails.of("A", "d".repeat(254)));
        assertThrows(IllegalArgumentException.class, () -> ErrorDetails.of("A", "d").with("a b", "c"));
        assertThrows(IllegalArgumentException.class, () -> ErrorDetails.of("A", "d").with("a", "c".repeat(901)));
        assertThrows(IllegalArgumentException.class, () -> ErrorDetails.retryAfter(Duration.ofDays(366)));
        assertEquals(Map.of("k", "v"), ErrorDetails.of("A", "d").with("k", "v").metadata());
    }
}
