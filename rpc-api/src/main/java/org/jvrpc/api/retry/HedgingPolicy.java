package org.jvrpc.api.retry;

import java.time.Duration;
import java.util.Set;
import org.jvrpc.api.Status;

/**
 * When a call is made again before the first has ended: each {@link #hedgingDelay()}, up to {@link #maxAttempts()} at
 * once; the first answer ends the call and the others are cancelled. A status of {@link #nonFatalStatusCodes()} has the
 * next attempt made at once, any other ends the call. Only calls of methods that are idempotent. Immutable: each
 * {@code with…} returns a changed copy.
 */
public final class HedgingPolicy {

    /** Two attempts, the second 10 ms after the first, or when that finds no server. */
    public static final HedgingPolicy DEFAULT =
            new HedgingPolicy(2, Duration.ofMillis(10), Set.of(Status.UNAVAILABLE));

    private final int maxAttempts;
    private final Duration hedgingDelay;
    private final Set<Status> codes;

    private HedgingPolicy(int maxAttempts, Duration hedgingDelay, Set<Status> codes) {
        this.maxAttempts = maxAttempts;
        this.hedgingDelay = hedgingDelay;
        this.codes = codes;
    }

    /** Sets how often a call is made, the first time among them: 2 to 5. */
    public HedgingPolicy withMaxAttempts(int attempts) {
        return new HedgingPolicy(Checks.attempts(attempts), hedgingDelay, codes);
    }

    /** Sets how long each attempt is waited for before the next one is made, 0, for all at once, to a day. */
    public HedgingPolicy withHedgingDelay(Duration delay) {
        return new HedgingPolicy(maxAttempts, Checks.time("hedgingDelay", delay, Duration.ZERO), codes);
    }

    /** Sets the statuses that do not end the call while attempts are left; never OK. */
    public HedgingPolicy withNonFatalStatusCodes(Status... statuses) {
        return new HedgingPolicy(maxAttempts, hedgingDelay, Checks.codes("nonFatalStatusCodes", statuses));
    }

    public int maxAttempts() {
        return maxAttempts;
    }

    public Duration hedgingDelay() {
        return hedgingDelay;
    }

    public Set<Status> nonFatalStatusCodes() {
        return codes;
    }
}
