package org.jvrpc.runtime.retry;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.jvrpc.api.CallOptions;
import org.jvrpc.api.ErrorDetails;
import org.jvrpc.api.RpcException;
import org.jvrpc.api.Status;
import org.jvrpc.api.retry.HedgingPolicy;
import org.jvrpc.api.retry.RetryThrottling;
import org.jvrpc.runtime.contract.Await;
import org.jvrpc.runtime.thread.Environment;
import org.jvrpc.runtime.thread.Threads;

/** When hedged calls are made again, by a clock that the test moves. */
class HedgeTimeTest {

    private static final long MS = 1_000_000;
    private static final HedgingPolicy POLICY =
            HedgingPolicy.DEFAULT.withMaxAttempts(3).withHedgingDelay(Duration.ofMillis(10));
    private static final RpcException LOST = new RpcException(Status.UNAVAILABLE, "lost");

    private final TestTime time = new TestTime();
    private final RetrySettings settings = new RetrySettings();
    private Retries retries;
    private ScriptedChannel channel;

    private CompletableFuture<Long> ask(long limitMs) {
        if (retries == null) {
            settings.hedge("*", POLICY);
            retries = new Retries(settings, new Environment(time, Threads.DAEMONS), List.of(), time);
        }
        channel = new ScriptedChannel(limitMs * MS, null);
        return new WorkAsyncStub(retries.around(channel, new WorkService(), CallOptions.DEFAULT)).get(1);
    }

    private CompletableFuture<Object> sent(int attempt) {
        return channel.futures.get(attempt - 1);
    }

    private void expectAttempts(int count) {
        assertEquals(count, channel.attempts.size());
    }

    @Test
    void attemptsBeginADelayApartAndTheFirstAnswerEndsTheOthers() {
        CompletableFuture<Long> later = ask(10_000);
        expectAttempts(1);
        time.pass(10 * MS - 1);
        expectAttempts(1);
        time.pass(1);
        expectAttempts(2);
        time.pass(10 * MS - 1);
        expectAttempts(2);
        time.pass(1);
        expectAttempts(3);
        time.pass(1000 * MS);
        expectAttempts(3);
        sent(2).complete(5L);
        assertEquals(5L, Await.outcome(later));
        assertTrue(sent(1).isCancelled() && sent(3).isCancelled());
    }

    @Test
    void anAnswerInTimeIsTheOnlyAttempt() {
        CompletableFuture<Long> later = ask(10_000);
        time.pass(9 * MS);
        sent(1).complete(5L);
        assertEquals(5L, Await.outcome(later));
        time.pass(1000 * MS);
        expectAttempts(1);
    }

    @Test
    void aFailureHasTheNextAttemptMadeAtOnceAndTheOneBehindItADelayLater() {
        CompletableFuture<Long> later = ask(10_000);
        time.pass(4 * MS);
        sent(1).completeExceptionally(LOST);
        time.pass(0);
        expectAttempts(2);
        time.pass(10 * MS - 1);
        expectAttempts(2);
        time.pass(1);
        expectAttempts(3);
        sent(3).completeExceptionally(LOST);
        assertFalse(later.isDone(), "the second may be answered");
        sent(2).complete(5L);
        assertEquals(5L, Await.outcome(later));
    }

    @Test
    void anAttemptThatDidNotRunIsMadeAgainAtOnceAndCountsForNone() {
        CompletableFuture<Long> later = ask(10_000);
        RpcException refused = RpcException.notRun(Status.UNAVAILABLE, "about to go");
        sent(1).completeExceptionally(refused);
        time.pass(0);
        expectAttempts(2);
        time.pass(20 * MS);
        expectAttempts(4);
        sent(2).completeExceptionally(refused);
        time.pass(1000 * MS);
        expectAttempts(4); // where there is one server, once
        sent(4).complete(5L);
        assertEquals(5L, Await.outcome(later));
    }

    @Test
    void theServerSaysWhenTheNextAttemptIsMade() {
        CompletableFuture<Long> later = ask(10_000);
        sent(1).completeExceptionally(LOST.withDetails(ErrorDetails.retryAfter(Duration.ofMillis(50))));
        time.pass(50 * MS - 1);
        expectAttempts(1);
        time.pass(1);
        expectAttempts(2);
        sent(2).completeExceptionally(LOST.withDetails(ErrorDetails.noRetry()));
        time.pass(1000 * MS);
        expectAttempts(2);
        assertTrue(Await.outcome(later) instanceof RpcException);
    }

    @Test
    void aStatusThatIsFatalEndsAllAttempts() {
        CompletableFuture<Long> later = ask(10_000);
        time.pass(10 * MS);
        sent(1).completeExceptionally(new RpcException(Status.INVALID_ARGUMENT, "no"));
        assertTrue(Await.outcome(later) instanceof RpcException e && e.status() == Status.INVALID_ARGUMENT);
        assertTrue(sent(2).isCancelled());
        time.pass(1000 * MS);
        expectAttempts(2);
    }

    @Test
    void noAttemptBeginsBehindTheDeadlineAndEachHasTheTimeThatIsLeft() {
        CompletableFuture<Long> later = ask(15);
        time.pass(1000 * MS);
        expectAttempts(2);
        assertEquals(15 * MS, channel.attempts.get(0).limitNs());
        assertEquals(5 * MS, channel.attempts.get(1).limitNs());
        RpcException late = new RpcException(Status.DEADLINE_EXCEEDED, "late");
        sent(1).completeExceptionally(late);
        assertEquals(late, Await.outcome(later));
    }

    @Test
    void aThrottledClientDoesNotHedge() {
        settings.throttling(new RetryThrottling(2, 0.1));
        CompletableFuture<Long> first = ask(10_000);
        sent(1).completeExceptionally(LOST); // of 2 tokens one is left
        time.pass(1000 * MS);
        expectAttempts(1);
        assertEquals(LOST, Await.outcome(first));
        CompletableFuture<Long> second = ask(10_000);
        time.pass(1000 * MS);
        expectAttempts(1);
        sent(1).complete(5L);
        assertEquals(5L, Await.outcome(second));
    }

    @Test
    void aDeadlineThatPassesWhileAFailureIsLookedAtEndsTheCall() {
        for (RpcException failure : List.of(LOST, RpcException.notRun(Status.UNAVAILABLE, "about to go"))) {
            CompletableFuture<Long> later = ask(5);
            time.pass(5 * MS - 1);
            time.step(MS);
            sent(1).completeExceptionally(failure);
            time.step(0);
            assertTrue(later.isDone(), failure.getMessage());
        }
    }
}
