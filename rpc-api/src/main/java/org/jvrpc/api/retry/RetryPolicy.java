package org.jvrpc.api.retry;

import java.time.Duration;
import java.util.Set;
import org.jvrpc.api.Status;

/**
 * When a call that failed is made again: with a status of {@link #retryableStatusCodes()}, up to {@link #maxAttempts()}
 * in all, after pauses that grow from {@link #initialBackoff()} by {@link #backoffMultiplier()} up to
 * {@link #maxBackoff()}, each ±20 % at random. Only calls of methods that are idempotent, and others that are known not
 * to have run. A call with a stream is made once, as what was sent of it is not kept: whoever makes it again finds in
 * {@link org.jvrpc.api.RpcException#mayHaveRun()} whether it may have run. Immutable: each {@code with…} returns a
 * changed copy.
 */
public final class RetryPolicy {

    /** Three attempts, 10 ms before the second, twice as long before the third, and only where the server is gone. */
    public static final RetryPolicy DEFAULT = new RetryPolicy(
            3, Duration.ofMillis(10), Duration.ofSeconds(1), 2, Set.of(Status.UNAVAILABLE));
    private static final Duration LEAST = Duration.ofNanos(1);

    private final int maxAttempts;
    private final Duration initialBackoff;
    private final Duration maxBackoff;
    private final double backoffMultiplier;
    private final Set<Status> codes;

    private RetryPolicy(
            int maxAttempts, Duration initialBackoff, Duration maxBackoff, double backoffMultiplier,
            Set<Status> codes) {
        this.maxAttempts = maxAttempts;
        this.initialBackoff = initialBackoff;
        this.maxBackoff = maxBackoff;
        this.backoffMultiplier = backoffMultiplier;
        this.codes = codes;
    }

    /** Sets how often a call is made, the first time among them: 2 to 5. */
    public RetryPolicy withMaxAttempts(int attempts) {
        return new RetryPolicy(Checks.attempts(attempts), initialBackoff, maxBackoff, backoffMultiplier, codes);
    }

    /** Sets the pause before the second attempt, 1 ns to a day. */
    public RetryPolicy withInitialBackoff(Duration pause) {
        Checks.time("initialBackoff", pause, LEAST);
        return new RetryPolicy(maxAttempts, pause, maxBackoff, backoffMultiplier, codes);
    }

    /** Sets the longest pause, before it is varied, 1 ns to a day. */
    public RetryPolicy withMaxBackoff(Duration pause) {
        Checks.time("maxBackoff", pause, LEAST);
        return new RetryPolicy(maxAttempts, initialBackoff, pause, backoffMultiplier, codes);
    }

    /** Sets by how much each pause is longer than the one before, 1 to 1000. */
    public RetryPolicy withBackoffMultiplier(double factor) {
        if (!(factor >= 1 && factor <= 1000)) {
            throw new IllegalArgumentException("backoffMultiplier must be 1 to 1000, backoffMultiplier=" + factor);
        }
        return new RetryPolicy(maxAttempts, initialBackoff, maxBackoff, factor, codes);
    }

    /** Sets the statuses that another attempt may change; at least one, never OK. */
    public RetryPolicy withRetryableStatusCodes(Status... statuses) {
        if (statuses.length == 0) {
            throw new IllegalArgumentException("retryableStatusCodes must not be empty");
        }
        return new RetryPolicy(maxAttempts, initialBackoff, maxBackoff, backoffMultiplier,
                Checks.codes("retryableStatusCodes", statuses));
    }

    public int maxAttempts() {
        return maxAttempts;
    }

    public Duration initialBackoff() {
        return initialBackoff;
    }

    public Duration maxBackoff() {
        return maxBackoff;
    }

    public double backoffMultiplier() {
        return backoffMultiplier;
    }

    public Set<Status> retryableStatusCodes() {
        return codes;
    }
}
