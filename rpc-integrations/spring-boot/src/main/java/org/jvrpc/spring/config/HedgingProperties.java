package org.jvrpc.spring.config;

import java.time.Duration;
import java.util.List;
import org.jvrpc.api.Status;
import org.jvrpc.api.retry.HedgingPolicy;

/**
 * {@code jvrpc.clients.NAME.hedging.[METHODS]}: see {@link HedgingPolicy}, from whose {@link HedgingPolicy#DEFAULT
 * default} it begins.
 *
 * @param maxAttempts how often a call is made
 * @param hedgingDelay how long each attempt is waited for
 * @param nonFatalStatusCodes statuses that do not end the call
 */
public record HedgingProperties(Integer maxAttempts, Duration hedgingDelay, List<Status> nonFatalStatusCodes) {

    HedgingPolicy toPolicy(String prefix) {
        RetryProperties.Steps<HedgingPolicy> steps = new RetryProperties.Steps<>(HedgingPolicy.DEFAULT);
        steps.apply(prefix + ".max-attempts", maxAttempts, HedgingPolicy::withMaxAttempts);
        steps.apply(prefix + ".hedging-delay", hedgingDelay, HedgingPolicy::withHedgingDelay);
        steps.apply(prefix + ".non-fatal-status-codes", nonFatalStatusCodes,
                (policy, codes) -> policy.withNonFatalStatusCodes(codes.toArray(new Status[0])));
        return steps.policy;
    }
}
