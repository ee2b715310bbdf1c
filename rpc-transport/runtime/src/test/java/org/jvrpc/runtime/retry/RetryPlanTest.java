package org.jvrpc.runtime.retry;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.jvrpc.api.ErrorDetails;
import org.jvrpc.api.RpcException;
import org.jvrpc.api.Status;
import org.jvrpc.api.retry.RetryPolicy;
import org.jvrpc.api.retry.RetryThrottling;

/** When a call is made again, without a clock. */
class RetryPlanTest {

    private static final RetryPolicy POLICY = RetryPolicy.DEFAULT.withMaxAttempts(5)
            .withInitialBackoff(Duration.ofMillis(10)).withBackoffMultiplier(3).withMaxBackoff(Duration.ofMillis(100))
            .withRetryableStatusCodes(Status.UNAVAILABLE, Status.ABORTED);
    private static final double MIDDLE = 0.5;
    private static final RpcException RAN = new RpcException(Status.UNAVAILABLE, "lost");
    private static final RpcException NOT_RUN = RpcException.notRun(Status.UNAVAILABLE, "no connection");

    private static RetryPlan idempotent() {
        return new RetryPlan(POLICY, true, 1, null);
    }

    private static RpcException pushedBack(Duration pause) {
        return RAN.withDetails(ErrorDetails.retryAfter(pause));
    }

    @Test
    void pausesGrowUpToTheLongestAndAttemptsEnd() {
        RetryPlan plan = idempotent();
        for (long ms : new long[] {10, 30, 90, 100}) {
            assertEquals(ms * 1_000_000, plan.failed(RAN, MIDDLE));
        }
        assertEquals(RetryPlan.STOP, plan.failed(RAN, MIDDLE));
        assertEquals(4, plan.previous());
    }

    @Test
    void pausesAreVariedByAFifthAndTheSameSeedVariesThemTheSameWay() {
        long seed = Long.getLong("jvrpc.seed", System.nanoTime());
        System.out.println("pausesAreVaried: -Djvrpc.seed=" + seed);
        SplittableRandom random = new SplittableRandom(seed);
        SplittableRandom again = new SplittableRandom(seed);
        for (int i = 0; i < 1000; i++) {
            long pause = idempotent().failed(RAN, random.nextDouble());
            assertTrue(pause >= 8_000_000 && pause <= 12_000_000, "pause=" + pause);
            assertEquals((long) (10_000_000 * (0.8 + 0.4 * again.nextDouble())), pause, 1);
        }
        assertEquals(8_000_000, idempotent().failed(RAN, 0));
        assertEquals(12_000_000, idempotent().failed(RAN, 1));
    }

    @Test
    void whatMayHaveRunIsMadeAgainOnlyWhereThatDoesNoHarm() {
        RetryPlan other = new RetryPlan(POLICY, false, 1, null);
        assertEquals(RetryPlan.STOP, other.failed(RAN, MIDDLE));
        RetryPlan refused = new RetryPlan(POLICY, false, 1, null);
        assertEquals(0, refused.failed(NOT_RUN, MIDDLE), "at once, one time");
        assertEquals(0, refused.previous());
        assertEquals(10_000_000, refused.failed(NOT_RUN, MIDDLE));
        assertEquals(RetryPlan.STOP, refused.failed(RAN, MIDDLE));
    }

    @Test
    void withoutAPolicyOnlyWhatDidNotRunIsMadeAgainAndOnce() {
        RetryPlan plan = new RetryPlan(null, true, 1, null);
        assertEquals(0, plan.failed(NOT_RUN, MIDDLE));
        assertEquals(RetryPlan.STOP, plan.failed(NOT_RUN, MIDDLE));
        assertEquals(RetryPlan.STOP, new RetryPlan(null, true, 1, null).failed(RAN, MIDDLE));
        RpcException late = RpcException.notRun(Status.DEADLINE_EXCEEDED, "no slot");
        assertEquals(RetryPlan.STOP, new RetryPlan(null, true, 1, null).failed(late, MIDDLE));
    }

    @Test
    void whereThereAreSeveralServersWhatDidNotRunIsMadeAgainAtOnceMoreOftenAndNotForEver() {
        RetryPlan plan = new RetryPlan(null, false, 4, null);
        for (int i = 0; i < 4; i++) {
            assertEquals(0, plan.failed(NOT_RUN, MIDDLE));
        }
        assertEquals(RetryPlan.STOP, plan.failed(NOT_RUN, MIDDLE));
        RetryPlan ran = new RetryPlan(null, false, 4, null);
        assertEquals(0, ran.failed(NOT_RUN, MIDDLE));
        assertEquals(RetryPlan.STOP, ran.failed(RAN, MIDDLE));
    }

    @Test
    void aCallWhoseArgumentsAreNotKeptIsNotMadeAgain() {
        assertEquals(RetryPlan.STOP, new RetryPlan(POLICY, true, 0, null).failed(NOT_RUN, MIDDLE));
        assertEquals(RetryPlan.STOP, new RetryPlan(POLICY, true, 0, null).failed(RAN, MIDDLE));
    }

    @Test
    void otherStatusesEndTheCall() {
        assertEquals(10_000_000, idempotent().failed(new RpcException(Status.ABORTED, "lost a race"), MIDDLE));
        assertEquals(RetryPlan.STOP, idempotent().failed(new RpcException(Status.INTERNAL, "no"), MIDDLE));
    }

    @Test
    void theServerSaysWhenAndTheNextPauseIsTheFirstAgain() {
        RetryPlan plan = idempotent();
        assertEquals(10_000_000, plan.failed(RAN, MIDDLE));
        assertEquals(7, plan.failed(pushedBack(Duration.ofNanos(7)), MIDDLE));
        assertEquals(10_000_000, plan.failed(RAN, MIDDLE));
        assertEquals(RetryPlan.STOP, plan.failed(pushedBack(Duration.ofNanos(-1)), MIDDLE));
        assertEquals(RetryPlan.STOP, idempotent().failed(
                NOT_RUN.withDetails(ErrorDetails.noRetry()), MIDDLE), "whether it ran or not");
    }

    @Test
    void aBucketThatIsHalfEmptyKeepsCallsFromBeingMadeAgain() {
        Throttle throttle = new Throttle(new RetryThrottling(4, 0.5));
        assertEquals(10_000_000, new RetryPlan(POLICY, true, 1, throttle).failed(RAN, MIDDLE)); // 3 left
        assertEquals(RetryPlan.STOP, new RetryPlan(POLICY, true, 1, throttle).failed(RAN, MIDDLE)); // 2 left
        RetryPlan ok = new RetryPlan(POLICY, true, 1, throttle);
        ok.succeeded();
        assertTrue(throttle.allows(), "2.5 left");
        assertEquals(RetryPlan.STOP, new RetryPlan(POLICY, true, 1, throttle).failed(RAN, MIDDLE)); // 1.5
        for (int i = 0; i < 100; i++) {
            ok.succeeded();
        }
        new RetryPlan(POLICY, true, 1, throttle).failed(pushedBack(Duration.ofNanos(-1)), MIDDLE); // 3
        assertTrue(throttle.allows());
        throttle.failed();
        assertFalse(throttle.allows());
    }

    @Test
    void aCallWhoseLastAttemptDidNotRunMayHaveRunByAnEarlierOne() {
        RetryPlan plan = idempotent();
        assertFalse(plan.ending(NOT_RUN).mayHaveRun());
        plan.failed(NOT_RUN, MIDDLE);
        assertFalse(plan.ending(NOT_RUN).mayHaveRun());
        plan.failed(RAN, MIDDLE);
        assertTrue(plan.ending(NOT_RUN).mayHaveRun());
        assertEquals("no connection", plan.ending(NOT_RUN).getMessage());
    }
}
