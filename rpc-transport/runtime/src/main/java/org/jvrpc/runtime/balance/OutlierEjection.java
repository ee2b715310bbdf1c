package org.jvrpc.runtime.balance;

import java.time.Duration;

/**
 * Rules by which a server gets no calls for a while because too many fail, by Envoy's names. What counts is how
 * calls end: {@code UNAVAILABLE}, {@code DEADLINE_EXCEEDED}, {@code INTERNAL}, {@code UNKNOWN},
 * {@code RESOURCE_EXHAUSTED} and {@code DATA_LOSS} are failures, all else is the server's answer. When its time is
 * over, an ejected server gets one call at a time as a probe: one that succeeds brings it back, one that fails ejects
 * it for
 * longer, by {@link #baseEjectionTime} each time. Where no other server is ready, ejected ones get calls all the same.
 *
 * <p>Immutable: each {@code with…} returns a changed copy.
 *
 * @param consecutiveFailures so many calls of a server in a row that fail eject it, 1 to 1,000,000, or 0 for none
 * @param baseEjectionTime for how long at first, 1 ms to a day
 * @param maxEjectionTime for how long at most, from the base to a day
 * @param maxEjectionPercent how many of the servers may be ejected at once, 0 to 100; one may where this is not 0
 * @param interval how often success rates are looked at, 1 ms to a day
 * @param successRateMinimumHosts how many servers must have had enough calls in an interval for their rates to be
 *     compared, 2 to 1,000,000, or 0 to compare none
 * @param successRateRequestVolume how many calls are enough, 1 to 1,000,000
 * @param successRateStdevFactor how many thousandths of the standard deviation below the mean a rate is too low, 0 to
 *     100,000
 */
public record OutlierEjection(
        int consecutiveFailures,
        Duration baseEjectionTime,
        Duration maxEjectionTime,
        int maxEjectionPercent,
        Duration interval,
        int successRateMinimumHosts,
        int successRateRequestVolume,
        int successRateStdevFactor) {

    private static final int MOST = 1_000_000;
    private static final Duration SHORTEST = Duration.ofMillis(1);
    private static final Duration LONGEST = Duration.ofDays(1);

    /** Envoy's and gRPC's numbers. */
    public static final OutlierEjection DEFAULT = new OutlierEjection(
            5, Duration.ofSeconds(30), Duration.ofSeconds(300), 10, Duration.ofSeconds(10), 5, 100, 1900);

    /** @throws IllegalArgumentException when something is out of its range */
    public OutlierEjection {
        check("consecutiveFailures", consecutiveFailures, 0, MOST);
        check("baseEjectionTime", baseEjectionTime, SHORTEST);
        check("maxEjectionTime", maxEjectionTime, baseEjectionTime);
        check("maxEjectionPercent", maxEjectionPercent, 0, 100);
        check("interval", interval, SHORTEST);
        check("successRateMinimumHosts", successRateMinimumHosts, successRateMinimumHosts == 0 ? 0 : 2, MOST);
        check("successRateRequestVolume", successRateRequestVolume, 1, MOST);
        check("successRateStdevFactor", successRateStdevFactor, 0, 100_000);
    }

    private static void check(String name, int value, int low, int high) {
        if (value < low || value > high) {
            throw new IllegalArgumentException(name + " must be " + low + " to " + high + ", " + name + "=" + value);
        }
    }

    private static void check(String name, Duration value, Duration low) {
        if (value.compareTo(low) < 0 || value.compareTo(LONGEST) > 0) {
            throw new IllegalArgumentException(
                    name + " must be " + low + " to " + LONGEST + ", " + name + "=" + value);
        }
    }

    public OutlierEjection withConsecutiveFailures(int value) {
        return new OutlierEjection(value, baseEjectionTime, maxEjectionTime, maxEjectionPercent, interval,
                successRateMinimumHosts, successRateRequestVolume, successRateStdevFactor);
    }

    public OutlierEjection withEjectionTimes(Duration base, Duration max) {
        return new OutlierEjection(consecutiveFailures, base, max, maxEjectionPercent, interval,
                successRateMinimumHosts, successRateRequestVolume, successRateStdevFactor);
    }

    public OutlierEjection withMaxEjectionPercent(int value) {
        return new OutlierEjection(consecutiveFailures, baseEjectionTime, maxEjectionTime, value, interval,
                successRateMinimumHosts, successRateRequestVolume, successRateStdevFactor);
    }

    /** See the parameters of those names. */
    public OutlierEjection withSuccessRate(Duration every, int minimumHosts, int requestVolume, int stdevFactor) {
        return new OutlierEjection(consecutiveFailures, baseEjectionTime, maxEjectionTime, maxEjectionPercent, every,
                minimumHosts, requestVolume, stdevFactor);
    }
}
