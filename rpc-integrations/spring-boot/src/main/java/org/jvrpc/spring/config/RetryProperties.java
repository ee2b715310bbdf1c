package org.jvrpc.spring.config;

import java.time.Duration;
import java.util.List;
import java.util.function.BiFunction;
import org.jvrpc.api.Status;
import org.jvrpc.api.retry.RetryPolicy;

/**
 * {@code jvrpc.clients.NAME.retry}: see {@link RetryPolicy}, from whose {@link RetryPolicy#DEFAULT default} it begins.
 *
 * @param maxAttempts how often a call is made, 2 to 5; 1 for no policy
 * @param initialBackoff the pause before the second attempt
 * @param maxBackoff the longest pause
 * @param backoffMultiplier by how much each is longer
 * @param retryableStatusCodes statuses that another attempt may change
 */
public record RetryProperties(
        Integer maxAttempts,
        Duration initialBackoff,
        Duration maxBackoff,
        Double backoffMultiplier,
        List<Status> retryableStatusCodes) {

    boolean none() {
        return maxAttempts != null && maxAttempts == 1;
    }

    RetryPolicy toPolicy(String prefix) {
        Steps<RetryPolicy> steps = new Steps<>(RetryPolicy.DEFAULT);
        steps.apply(prefix + ".max-attempts", maxAttempts, RetryPolicy::withMaxAttempts);
        steps.apply(prefix + ".initial-backoff", initialBackoff, RetryPolicy::withInitialBackoff);
        steps.apply(prefix + ".max-backoff", maxBackoff, RetryPolicy::withMaxBackoff);
        steps.apply(prefix + ".backoff-multiplier", backoffMultiplier, RetryPolicy::withBackoffMultiplier);
        steps.apply(prefix + ".retryable-status-codes", retryableStatusCodes,
                (policy, codes) -> policy.withRetryableStatusCodes(codes.toArray(new Status[0])));
        return steps.policy;
    }

    /** A policy that each property changes. */
    static final class Steps<P> {

        P policy;

        Steps(P policy) {
            this.policy = policy;
        }

        <V> void apply(String property, V value, BiFunction<P, V, P> step) {
            Property.apply(property, value, some -> policy = step.apply(policy, some));
        }
    }
}
