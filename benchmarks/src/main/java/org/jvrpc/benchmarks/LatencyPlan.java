package org.jvrpc.benchmarks;

import java.time.Duration;

/**
 * How long a latency benchmark measures.
 *
 * @param warmUp of each contender, times its factor
 * @param rounds round-robin turns of each contender for each workload
 * @param settle calls before each round that are not timed: caches and branch predictors belonged to others
 * @param round length of a round
 */
record LatencyPlan(Duration warmUp, int rounds, Duration settle, Duration round) {

    static LatencyPlan ofMillis(long warmUp, int rounds, long settle, long round) {
        return new LatencyPlan(
                Duration.ofMillis(warmUp), rounds, Duration.ofMillis(settle), Duration.ofMillis(round));
    }
}
