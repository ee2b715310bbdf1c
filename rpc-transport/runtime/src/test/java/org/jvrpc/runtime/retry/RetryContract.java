package org.jvrpc.runtime.retry;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.IntConsumer;
import org.junit.jupiter.api.Test;
import org.jvrpc.api.CallOptions;
import org.jvrpc.api.RpcException;
import org.jvrpc.api.Status;
import org.jvrpc.api.retry.HedgingPolicy;
import org.jvrpc.api.retry.RetryPolicy;
import org.jvrpc.api.retry.RetryThrottling;
import org.jvrpc.runtime.RpcClient;
import org.jvrpc.runtime.RpcServer;
import org.jvrpc.runtime.contract.Await;

/** Calls that are made again, against a server that counts. */
public abstract class RetryContract extends WorkContract {

    private static final RetryPolicy POLICY = RetryPolicy.DEFAULT.withMaxAttempts(4)
            .withInitialBackoff(Duration.ofMillis(1)).withMaxBackoff(Duration.ofMillis(2));
    private static final HedgingPolicy HEDGES = HedgingPolicy.DEFAULT.withMaxAttempts(3)
            .withHedgingDelay(Duration.ofMillis(5));

    private final List<String> seen = new CopyOnWriteArrayList<>();

    private static IntConsumer failing(int times) {
        return run -> {
            if (run <= times) {
                throw new RpcException(Status.UNAVAILABLE, "run=" + run);
            }
        };
    }

    private RpcClient retrying(RpcServer server) {
        return connect(server, builder -> builder.retry(POLICY));
    }

    @Test
    void anIdempotentCallIsMadeAgainInEveryForm() {
        RpcServer server = serve();
        RpcClient client = retrying(server);
        Work calls = client.stub(Work.class);
        WorkAsync async = async(client);
        work.script = failing(3);
        assertEquals(1, calls.get(1));
        assertEquals(2, calls.getHeavy(2));
        assertEquals(3L, Await.outcome(calls.getLater(3)));
        assertEquals(4L, Await.outcome(async.get(4)));
        CompletableFuture<Long> called = new CompletableFuture<>();
        async.get(5, (long result, Throwable failure) -> called.complete(failure == null ? result : -1));
        assertEquals(5L, Await.outcome(called));
        for (int key = 1; key <= 5; key++) {
            assertEquals(4, work.runs(key), "key=" + key);
        }
    }

    @Test
    void argumentsAndResultsAreRightAfterAnotherAttempt() {
        Work calls = retrying(serve()).stub(Work.class);
        work.script = failing(2);
        ByteBuffer into = ByteBuffer.allocateDirect(64);
        calls.read(7, into);
        assertEquals(64, into.position());
        assertEquals(7, into.getLong(56));
        ByteBuffer bytes = ByteBuffer.wrap(new byte[] {1, 2, 3, 4});
        assertEquals(10, calls.sum(8, bytes));
        byte[] big = new byte[300_000];
        Arrays.fill(big, (byte) 5);
        assertTrue(Arrays.equals(big, calls.echo(9, big)));
        assertTrue(Arrays.equals(big, (byte[]) Await.outcome(async(retrying(serve())).echo(10, big))));
        assertThrows(Work.Refused.class, () -> calls.check(11));
        assertEquals(3, work.runs(11), "a declared exception is an answer");
        assertInstanceOf(Work.Refused.class, Await.outcome(async(retrying(serve())).check(12)));
    }

    @Test
    void attemptsEndAndTheLastFailureIsTheCalls() {
        RpcClient client = retrying(serve());
        work.script = failing(10);
        RpcException e = failsWith(Status.UNAVAILABLE, () -> client.stub(Work.class).get(1));
        assertEquals("run=4", e.getMessage());
        assertEquals("run=4", assertInstanceOf(RpcException.class, Await.outcome(async(client).get(2))).getMessage());
        assertEquals(4, work.runs(2));
    }

    @Test
    void aCallThatMayHaveRunIsNotMadeAgainUnlessItsMethodIsIdempotent() {
        RpcClient client = retrying(serve());
        work.script = failing(1);
        failsWith(Status.UNAVAILABLE, () -> client.stub(Work.class).put(1));
        assertInstanceOf(RpcException.class, Await.outcome(async(client).put(2)));
        assertEquals(1, work.runs(1));
        assertEquals(1, work.runs(2));
    }

    @Test
    void aCallThatTheServerRefusedUnrunIsMadeAgainWhateverItDoes() {
        Refusing executor = keep(new Refusing());
        RpcClient client = retrying(serve(newAddress(), builder -> builder.executor(executor)));
        executor.refusals.set(3);
        assertEquals(1, client.stub(Work.class).putHeavy(1));
        executor.refusals.set(3);
        assertEquals(2L, Await.outcome(async(client).putHeavy(2)));
        assertEquals(1, work.runs(1));
        assertEquals(1, work.runs(2));
    }

    @Test
    void aOneWayCallWaitsForItsServerToBeBack() {
        String address = newAddress();
        RpcServer server = serve(address, builder -> builder);
        RpcClient client = connect(server, builder -> builder.retry(RetryPolicy.DEFAULT.withMaxAttempts(5)
                .withInitialBackoff(Duration.ofSeconds(2)).withMaxBackoff(Duration.ofSeconds(2))));
        Work calls = client.stub(Work.class);
        server.close();
        Await.until("the client to know", () -> !client.isConnected());
        CompletableFuture<Boolean> told = Await.start(() -> {
            calls.tell(1, new byte[1]);
            return true;
        });
        serve(address, builder -> builder);
        Await.join(told);
        Await.until("the call", () -> work.runs(1) == 1);
    }

    @Test
    void allAttemptsHaveOneDeadline() {
        RpcClient client = connect(serve(), builder -> builder.deadline(Duration.ofMinutes(30))
                .retry(RetryPolicy.DEFAULT.withMaxAttempts(5)
                        .withInitialBackoff(Duration.ofHours(1)).withMaxBackoff(Duration.ofHours(1))));
        work.script = failing(10);
        failsWith(Status.UNAVAILABLE, () -> client.stub(Work.class).get(1)); // no pause is begun that is longer
        assertInstanceOf(RpcException.class, Await.outcome(async(client).get(2)));
        work.script = run -> work.hang();
        RpcClient other = retrying(serve());
        AtomicLong key = new AtomicLong(3);
        Await.inTime("the handler to begin", Duration.ofMillis(50), time -> {
            long tried = key.incrementAndGet();
            Work brief = other.stub(Work.class, CallOptions.DEFAULT.withDeadlineAfter(time));
            failsWith(Status.DEADLINE_EXCEEDED, () -> brief.getHeavy(tried));
            assertTrue(work.runs(tried) <= 1, "runs=" + work.runs(tried));
            return work.runs(tried) == 1;
        });
    }

    @Test
    void argumentsLongerThanTheLimitAreNotKept() {
        RpcClient client = connect(serve(), builder -> builder.retry(POLICY).perCallBufferLimit(100));
        Work calls = client.stub(Work.class);
        work.script = failing(1);
        failsWith(Status.UNAVAILABLE, () -> calls.echo(1, new byte[200]));
        assertEquals(1, work.runs(1));
        assertEquals(10, calls.echo(2, new byte[10]).length);
        assertEquals(200, calls.echo(1, new byte[200]).length);
    }

    @Test
    void aClientThatIsThrottledMakesNoCallAgain() {
        RpcClient client = connect(serve(),
                builder -> builder.retry(POLICY).retryThrottling(new RetryThrottling(2, 0.1)));
        Work calls = client.stub(Work.class);
        work.script = failing(10);
        failsWith(Status.UNAVAILABLE, () -> calls.get(1));
        failsWith(Status.UNAVAILABLE, () -> calls.get(2));
        assertEquals(1, work.runs(2));
    }

    @Test
    void interceptorsSeeOneCallAndServersWhichAttemptItIs() {
        RpcServer server = serve(newAddress(), builder -> builder.intercept((call, next) -> {
            seen.add("previous " + call.metadata().get(Request.PREVIOUS_ATTEMPTS) + " key " + call.metadata().get("k"));
            next.proceed();
        }));
        RpcClient client = connect(server, builder -> builder.retry(POLICY).intercept((call, next) -> {
            seen.add("in");
            call.metadata().put("k", "v");
            call.whenEnded((status, message) -> seen.add(status.toString()));
            next.proceed();
        }));
        work.script = failing(2);
        assertEquals(1, client.stub(Work.class).get(1));
        List<String> expected = List.of("in", "previous null key v", "previous 1 key v", "previous 2 key v", "OK");
        assertEquals(expected, seen);
        seen.clear();
        assertEquals(2L, Await.outcome(async(client).get(2)));
        assertEquals(expected, seen);
    }

    @Test
    void aCancelledFutureIsNotMadeAgain() {
        RpcClient client = connect(serve(), builder -> builder.retry(POLICY.withInitialBackoff(Duration.ofSeconds(5))
                .withMaxBackoff(Duration.ofSeconds(5))));
        work.script = failing(10);
        CompletableFuture<Long> waits = async(client).get(1);
        Await.until("the first attempt", () -> work.runs(1) == 1);
        assertTrue(waits.cancel(false));
        client.close(); // has what waits made now
        assertEquals(1, work.runs(1));
    }

    @Test
    void anInterruptEndsAPause() {
        RpcClient client = connect(serve(), builder -> builder.retry(POLICY.withInitialBackoff(Duration.ofSeconds(20))
                .withMaxBackoff(Duration.ofSeconds(20))));
        work.script = failing(10);
        Work calls = client.stub(Work.class);
        Thread[] thread = new Thread[1];
        CompletableFuture<RpcException> ended = Await.start(() -> {
            thread[0] = Thread.currentThread();
            RpcException e = failsWith(Status.CANCELLED, () -> calls.get(1));
            assertTrue(Thread.currentThread().isInterrupted());
            return e;
        });
        Await.until("the first attempt", () -> work.runs(1) == 1);
        thread[0].interrupt();
        assertTrue(Await.join(ended).mayHaveRun());
    }

    @Test
    void aClientThatClosesEndsCallsThatWait() {
        RpcClient client = connect(serve(), builder -> builder.retry(POLICY.withInitialBackoff(Duration.ofSeconds(20))
                .withMaxBackoff(Duration.ofSeconds(20))));
        work.script = failing(10);
        CompletableFuture<Long> waits = async(client).get(1);
        Await.until("the first attempt", () -> work.runs(1) == 1);
        client.close();
        RpcException e = assertInstanceOf(RpcException.class, Await.outcome(waits));
        assertEquals(Status.UNAVAILABLE, e.status());
        assertTrue(e.mayHaveRun(), "the first attempt ran");
    }

    @Test
    void theFirstAnswerEndsAHedgedCallAndTheOthersAreCancelled() {
        RpcServer server = serve();
        work.script = run -> {
            if (run == 1) {
                work.hang();
            }
        };
        RpcClient client = connect(server, builder -> builder.hedging("*", HEDGES));
        Work calls = client.stub(Work.class);
        assertEquals(1, calls.getHeavy(1));
        assertEquals(2L, Await.outcome(async(client).getHeavy(2)));
        assertTrue(work.runs(1) >= 2 && work.runs(2) >= 2);
    }

    /** One hangs on a thread of the executor, the other in a stage that is never complete. */
    @Test
    void aServerThatGoesWaitsForNoAttemptThatLost() throws InterruptedException {
        RpcServer server = serve();
        work.script = run -> {
            if (run == 1) {
                work.hang();
            }
        };
        RpcClient client = connect(server, builder -> builder.hedging("*", HEDGES));
        assertEquals(1, client.stub(Work.class).getHeavy(1));
        work.script = run -> work.answer = run == 1 ? CompletableFuture::new : null;
        assertEquals(2L, Await.outcome(client.stub(Work.class).getLater(2)));
        assertEquals(1, work.hanging.get());
        server.shutdown();
        assertTrue(server.awaitTermination(Duration.ofNanos(Await.BOUND_NS)), "nobody waits for their answers");
    }

    @Test
    void aHedgedCallGoesOnWhileFailuresAreNotFatal() {
        RpcClient client = connect(serve(), builder -> builder.hedging("*", HEDGES.withHedgingDelay(
                Duration.ofHours(1))));
        Work calls = client.stub(Work.class);
        work.script = failing(2);
        assertEquals(1, calls.get(1));
        assertEquals(2L, Await.outcome(async(client).get(2)));
        assertEquals(3, work.runs(1));
        work.script = failing(10);
        assertTrue(failsWith(Status.UNAVAILABLE, () -> calls.get(3)).mayHaveRun());
        assertEquals(3, work.runs(3));
        work.script = run -> {
            throw new RpcException(Status.INVALID_ARGUMENT, "fatal");
        };
        failsWith(Status.INVALID_ARGUMENT, () -> calls.get(4));
        assertEquals(1, work.runs(4));
    }
}
