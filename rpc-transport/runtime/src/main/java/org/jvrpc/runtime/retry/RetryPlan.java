package org.jvrpc.runtime.retry;

import java.time.Duration;
import org.jvrpc.api.ErrorDetails;
import org.jvrpc.api.RpcException;
import org.jvrpc.api.Status;
import org.jvrpc.api.retry.RetryPolicy;

/**
 * Whether and when one call is attempted again. A call that is known not to have run, as there was no server or it was
 * about to go, is made again at once, whatever its policy: one time, or more where there are several servers, of which
 * one after the other may be about to go. One thread at a time.
 */
final class RetryPlan {

    /** Returned by {@link #failed}: the call is over. */
    static final long STOP = -1;
    private static final double JITTER = 0.2;

    private final RetryPolicy policy;
    private final boolean idempotent;
    private final Throttle throttle;
    /** How many times more it may be made again at once. */
    private int atOnce;
    /** Attempts that a server may have seen. */
    private int counted = 1;
    /** Pauses since the first attempt, or since a server named one. */
    private int pauses;
    private boolean mayHaveRun;

    /**
     * @param policy null for none
     * @param atOnce how many times it is made again at once; 0 when the call cannot be made again at all
     * @param throttle null for none
     */
    RetryPlan(RetryPolicy policy, boolean idempotent, int atOnce, Throttle throttle) {
        this.policy = atOnce > 0 ? policy : null;
        this.idempotent = idempotent;
        this.throttle = throttle;
        this.atOnce = atOnce;
    }

    /** Returns how many attempts came before the next one, but for those that reached no server. */
    int previous() {
        return counted - 1;
    }

    /** An attempt was answered. */
    void succeeded() {
        if (throttle != null) {
            throttle.succeeded();
        }
    }

    /**
     * An attempt failed.
     *
     * @param random 0 to 1, evenly
     * @return how long to wait before the next one, in nanoseconds, or {@link #STOP}
     */
    long failed(RpcException failure, double random) {
        mayHaveRun |= failure.mayHaveRun();
        ErrorDetails details = failure.details();
        Duration pushback = details == null ? null : details.retryAfter();
        boolean never = pushback != null && pushback.isNegative();
        boolean retryable = policy != null && policy.retryableStatusCodes().contains(failure.status());
        if (throttle != null && (retryable || never)) {
            throttle.failed();
        }
        if (never) {
            return STOP;
        }
        if (atOnce > 0 && pushback == null && isRefusal(failure)) {
            atOnce--;
            return 0;
        }
        if (!retryable || failure.mayHaveRun() && !idempotent || counted >= policy.maxAttempts()
                || throttle != null && !throttle.allows()) {
            return STOP;
        }
        counted++;
        return pushback == null ? pause(random) : pauseOf(pushback);
    }

    /** Returns true when there was no server, or it was about to go. */
    static boolean isRefusal(RpcException failure) {
        return !failure.mayHaveRun() && failure.status() == Status.UNAVAILABLE;
    }

    private long pauseOf(Duration pushback) {
        pauses = 0;
        return pushback.toNanos();
    }

    private long pause(double random) {
        double ns = policy.initialBackoff().toNanos() * Math.pow(policy.backoffMultiplier(), pauses++);
        double most = policy.maxBackoff().toNanos();
        return (long) (Math.min(ns, most) * (1 - JITTER + 2 * JITTER * random));
    }

    /** Returns how the call ends that ends with the failure of its last attempt: an earlier one may have run. */
    RpcException ending(RpcException last) {
        return mayHaveRun ? last.thatMayHaveRun() : last;
    }

    /** Returns true when an attempt may have run. */
    boolean mayHaveRun() {
        return mayHaveRun;
    }
}
