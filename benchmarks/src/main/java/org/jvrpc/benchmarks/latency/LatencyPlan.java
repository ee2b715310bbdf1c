package org.jvrpc.benchmarks.latency;

import java.time.Duration;
import org.jvrpc.benchmarks.harness.WarmUp;

/**
 * How long a latency benchmark measures.
 *
 * @param warmUp of each contender for each workload
 * @param rounds round-robin turns of each contender for each workload
 * @param settle calls before each round that are not timed: caches and branch predictors belonged to others
 * @param round length of a round
 */
public record LatencyPlan(WarmUp warmUp, int rounds, Duration settle, Duration round) {

    /** A plan whose figures are for a first look. @param warmUp its limit, all workloads together */
    public static LatencyPlan quick(long warmUp, int rounds, long settle, long round) {
        return new LatencyPlan(WarmUp.quick(Duration.ofMillis(warmUp)), rounds, Duration.ofMillis(settle),
                Duration.ofMillis(round));
    }

    /** A plan that begins when contenders are steady. */
    public static LatencyPlan full(int rounds, long settle, long round) {
        return new LatencyPlan(WarmUp.full(), rounds, Duration.ofMillis(settle), Duration.ofMillis(round));
    }
}
