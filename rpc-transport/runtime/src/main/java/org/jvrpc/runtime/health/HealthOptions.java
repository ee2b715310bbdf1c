package org.jvrpc.runtime.health;

import java.time.Duration;
import java.util.Objects;

/**
 * What a client asks its servers, and how often.
 *
 * @param service its name on the wire; empty for the server as a whole
 * @param periodNs from an answer to the next question, in nanoseconds, a tenth more or less
 */
public record HealthOptions(String service, long periodNs) {

    private static final Duration LEAST = Duration.ofMillis(10);
    private static final Duration MOST = Duration.ofDays(1);
    private static final long LEAST_LIMIT_NS = 1_000_000_000;

    /** @throws IllegalArgumentException when the period is not 10 ms to a day */
    public static HealthOptions of(String service, Duration period) {
        Objects.requireNonNull(service, "service");
        if (period.compareTo(LEAST) < 0 || period.compareTo(MOST) > 0) {
            throw new IllegalArgumentException("period of health checks must be from " + LEAST + " to " + MOST
                    + ", period=" + period);
        }
        return new HealthOptions(service, period.toNanos());
    }

    /** Returns how long an answer may take: a server that is asked often need not be quick for that. */
    long limitNs() {
        return Math.max(periodNs, LEAST_LIMIT_NS);
    }

    /** Returns what is asked about, for a message. */
    String subject() {
        return service.isEmpty() ? "the server" : service;
    }
}
