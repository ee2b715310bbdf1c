package org.jvrpc.runtime.balance;

import java.time.Duration;

/**
 * After which pauses a client with several servers tries again to connect to one, by gRPC's numbers: the first attempt
 * is made at once, the next ones after longer and longer pauses, with jitter, so that the clients of a server that
 * comes
 * back do not all come at once. For ways that leave this host; by shared memory and {@code unix://} pauses are from 1
 * ms to 500 ms.
 *
 * @param initial the first pause, 1 ms to an hour
 * @param multiplier how much longer the next one is, 1 to 10
 * @param jitter how much of a pause is by lot, up and down, 0 to 0.9
 * @param max the longest pause, jitter and all, from the first to a day
 */
public record ConnectionBackoff(Duration initial, double multiplier, double jitter, Duration max) {

    /** 1 s × 1.6 ± 20 %, 2 min at most. */
    public static final ConnectionBackoff DEFAULT =
            new ConnectionBackoff(Duration.ofSeconds(1), 1.6, 0.2, Duration.ofMinutes(2));

    /** 1 ms × 2, 500 ms at most: of what is on this host, and costs nobody much. */
    public static final ConnectionBackoff LOCAL =
            new ConnectionBackoff(Duration.ofMillis(1), 2, 0, Duration.ofMillis(500));

    /** @throws IllegalArgumentException when something is out of its range */
    public ConnectionBackoff {
        check("initial", initial, Duration.ofMillis(1), Duration.ofHours(1));
        check("max", max, initial, Duration.ofDays(1));
        if (!(multiplier >= 1 && multiplier <= 10)) {
            throw new IllegalArgumentException("multiplier must be 1 to 10, multiplier=" + multiplier);
        }
        if (!(jitter >= 0 && jitter <= 0.9)) {
            throw new IllegalArgumentException("jitter must be 0 to 0.9, jitter=" + jitter);
        }
    }

    private static void check(String name, Duration value, Duration low, Duration high) {
        if (value.compareTo(low) < 0 || value.compareTo(high) > 0) {
            throw new IllegalArgumentException(name + " must be " + low + " to " + high + ", " + name + "=" + value);
        }
    }
}
