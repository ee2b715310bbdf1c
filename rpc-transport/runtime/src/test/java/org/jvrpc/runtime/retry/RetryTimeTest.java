package org.jvrpc.runtime.retry;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.jvrpc.api.CallOptions;
import org.jvrpc.api.ErrorDetails;
import org.jvrpc.api.RpcException;
import org.jvrpc.api.Status;
import org.jvrpc.api.retry.RetryPolicy;
import org.jvrpc.api.retry.RetryThrottling;
import org.jvrpc.api.stub.RpcChannel;
import org.jvrpc.runtime.contract.Await;
import org.jvrpc.runtime.thread.Environment;
import org.jvrpc.runtime.thread.Threads;

/** When calls are made again, by a clock that the test moves. */
class RetryTimeTest {

    private static final long MS = 1_000_000;
    private static final long SEED = 16;
    private static final RetryPolicy POLICY = RetryPolicy.DEFAULT.withMaxAttempts(5)
            .withInitialBackoff(Duration.ofMillis(10)).withBackoffMultiplier(3).withMaxBackoff(Duration.ofMillis(100));
    private static final RpcException LOST = new RpcException(Status.UNAVAILABLE, "lost");

    private final TestTime time = new TestTime();
    private final RetrySettings settings = new RetrySettings();
    private Retries retries;
    private ScriptedChannel channel;

    private RpcChannel begin(long limitMs, Function<Integer, Long> script) {
        if (retries == null) {
            settings.seed(SEED);
            retries = new Retries(settings, new Environment(time, Threads.DAEMONS), List.of(), time);
        }
        channel = new ScriptedChannel(limitMs * MS, script);
        return retries.around(channel, new WorkService(), CallOptions.DEFAULT);
    }

    private Work calls(long limitMs, Function<Integer, Long> script) {
        return new WorkStub(begin(limitMs, script));
    }

    private CompletableFuture<Long> asked(long limitMs) {
        return new WorkAsyncStub(begin(limitMs, null)).get(1);
    }

    private void end(int attempt, RpcException failure) {
        channel.futures.get(attempt - 1).completeExceptionally(failure);
    }

    private static Function<Integer, Long> failing(int times, RpcException failure) {
        return attempt -> {
            if (attempt <= times) {
                throw failure;
            }
            return 7L;
        };
    }

    private List<Long> beganNs() {
        return channel.attempts.stream().map(attempt -> attempt.endNs() - attempt.limitNs()).toList();
    }

    /** Returns when attempts begin that fail at once. */
    private static List<Long> expectedNs(long seed, long... pausesMs) {
        SplittableRandom random = new SplittableRandom(seed);
        long[] sums = new long[pausesMs.length + 1];
        for (int i = 0; i < pausesMs.length; i++) {
            sums[i + 1] = sums[i] + (long) (pausesMs[i] * MS * (0.8 + 0.4 * random.nextDouble()));
        }
        return java.util.Arrays.stream(sums).boxed().toList();
    }

    private static void areNear(List<Long> expected, List<Long> seen) {
        assertEquals(expected.size(), seen.size(), seen.toString());
        for (int i = 0; i < seen.size(); i++) {
            assertEquals(expected.get(i), seen.get(i), 4, seen.toString()); // nanoseconds: of rounding
        }
    }

    @Test
    void pausesGrowAndTheSameSeedMakesTheSamePausesWhicheverWayACallIsMade() {
        settings.retry("*", POLICY);
        List<Long> expected = expectedNs(SEED, 10, 30, 90, 100);
        assertEquals(7, calls(10_000, failing(4, LOST)).get(1));
        areNear(expected, beganNs());

        retries = null;
        long startNs = time.nanoTime();
        CompletableFuture<Long> later = asked(10_000);
        for (int attempt = 1; attempt <= 4; attempt++) {
            end(attempt, LOST);
            time.pass(expected.get(attempt) - 4 - (time.nanoTime() - startNs));
            assertEquals(attempt, channel.attempts.size(), "it is not time yet");
            time.pass(8);
            assertEquals(attempt + 1, channel.attempts.size());
        }
        channel.futures.get(4).complete(8L);
        assertEquals(8L, later.join());
    }

    @Test
    void noPauseIsMoreThanAFifthOff() {
        settings.retry("*", POLICY.withMaxAttempts(2));
        long least = Long.MAX_VALUE;
        long most = 0;
        for (int call = 0; call < 1000; call++) {
            calls(10_000, failing(1, LOST)).get(1);
            long pauseNs = beganNs().get(1) - beganNs().get(0);
            least = Math.min(least, pauseNs);
            most = Math.max(most, pauseNs);
        }
        assertTrue(least >= 8 * MS && least < 8.1 * MS, "least=" + least);
        assertTrue(most <= 12 * MS && most > 11.9 * MS, "most=" + most);
    }

    @Test
    void theServerSaysWhenAndThenPausesBeginAnew() {
        settings.retry("*", POLICY);
        RpcException pushed = LOST.withDetails(ErrorDetails.retryAfter(Duration.ofMillis(77)));
        CompletableFuture<Long> later = asked(10_000);
        end(1, LOST);
        time.pass(12 * MS);
        end(2, pushed);
        time.pass(77 * MS - 1);
        assertEquals(2, channel.attempts.size());
        time.pass(1);
        assertEquals(3, channel.attempts.size());
        end(3, LOST);
        time.pass(12 * MS); // the first pause once more, not the second
        assertEquals(4, channel.attempts.size());
        end(4, LOST.withDetails(ErrorDetails.noRetry()));
        assertTrue(later.isCompletedExceptionally());
    }

    @Test
    void aPauseThatEndsBehindTheDeadlineIsNotBegunAndAttemptsHaveTheTimeThatIsLeft() {
        settings.retry("*", POLICY);
        Work calls = calls(30, failing(9, LOST));
        assertSame(LOST, assertThrows(RpcException.class, () -> calls.get(1)));
        assertEquals(2, channel.attempts.size());
        assertTrue(time.nanoTime() <= 12 * MS, "nowNs=" + time.nanoTime());
        assertEquals(30 * MS, channel.attempts.get(0).limitNs());
        assertEquals(30 * MS - time.nanoTime(), channel.attempts.get(1).limitNs());

        CompletableFuture<Long> later = asked(30);
        end(1, LOST);
        time.pass(12 * MS);
        end(2, LOST);
        assertTrue(later.isCompletedExceptionally(), "at once, not when its time is over");
    }

    @Test
    void theTimeThatAttemptsTakeIsTheCalls() {
        settings.retry("*", POLICY);
        CompletableFuture<Long> later = asked(100);
        time.pass(95 * MS);
        end(1, LOST);
        assertTrue(later.isCompletedExceptionally());
        assertEquals(1, channel.attempts.size());
    }

    @Test
    void aThrottledClientMakesNoCallAgainUntilEnoughHaveSucceeded() {
        settings.retry("*", POLICY.withMaxAttempts(2));
        settings.throttling(new RetryThrottling(4, 1));
        Work failing = calls(10_000, failing(99, LOST));
        assertThrows(RpcException.class, () -> failing.get(1)); // 4 tokens, 3 and 2
        assertEquals(2, channel.attempts.size());
        assertThrows(RpcException.class, () -> failing.get(1)); // 1
        assertEquals(3, channel.attempts.size());
        Work fine = calls(10_000, failing(0, LOST));
        fine.get(1);
        fine.get(1);
        fine.get(1); // 4
        assertEquals(7, calls(10_000, failing(1, LOST)).get(1));
        assertEquals(2, channel.attempts.size());
    }

    @Test
    void whatDidNotRunIsMadeAgainWithoutAPauseAndCountsForNoAttempt() {
        settings.retry("*", POLICY.withMaxAttempts(2));
        RpcException refused = RpcException.notRun(Status.UNAVAILABLE, "about to go");
        assertEquals(7, calls(10_000, failing(2, refused)).put(1));
        List<Long> began = beganNs();
        assertEquals(began.get(0), began.get(1));
        assertTrue(began.get(2) - began.get(1) >= 8 * MS, began.toString());
        assertEquals(null, channel.attempts.get(1).metadata().get(Request.PREVIOUS_ATTEMPTS));
        assertEquals("1", channel.attempts.get(2).metadata().get(Request.PREVIOUS_ATTEMPTS));
    }

    @Test
    void aCallThatIsCancelledWhileItWaitsIsNotMadeAgain() {
        settings.retry("*", POLICY);
        CompletableFuture<Long> later = asked(10_000);
        end(1, LOST);
        assertTrue(later.cancel(false));
        time.pass(1000 * MS);
        assertEquals(1, channel.attempts.size());
        assertFalse(Await.outcome(later) instanceof RpcException);
    }
}
