package org.jvrpc.benchmarks.latency;

import org.jvrpc.benchmarks.harness.ContenderException;
import org.jvrpc.benchmarks.harness.Pair;
import org.jvrpc.benchmarks.harness.Workload;
import org.jvrpc.benchmarks.report.Summary;

/** What is measured in each turn behind its round of single calls. */
@FunctionalInterface
public interface Beside {

    /**
     * Measures while the pair, and no other, runs.
     *
     * @param round the single calls of this turn
     */
    void measure(Pair pair, Workload workload, Summary round) throws ContenderException;
}
