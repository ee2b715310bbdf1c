package org.jvrpc.benchmarks.rdma;

import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import org.jvrpc.benchmarks.report.Measured;
import org.jvrpc.benchmarks.report.Summary;

/** What was measured, by contender. */
final class RdmaRows {

    private final Map<String, Measured> times = new HashMap<>();
    private final Map<String, Double> allocated = new HashMap<>();
    private final Map<String, Map<String, Double>> systemCalls = new HashMap<>();

    /** Returns the name of perftest's row beside a contender's. */
    static String perftest(String contender) {
        return contender + "-perftest";
    }

    void add(String contender, Summary round) {
        times.computeIfAbsent(contender, name -> new Measured()).add(round);
    }

    void allocated(String contender, double bytesPerCall) {
        allocated.put(contender, bytesPerCall);
    }

    void systemCalls(String contender, Map<String, Long> counts, long calls) {
        Map<String, Double> perCall = new TreeMap<>();
        counts.forEach((name, count) -> perCall.put(name, (double) count / calls));
        systemCalls.put(contender, perCall);
    }

    /** Returns the rounds of a contender, or null when it did not finish them. */
    Measured times(String contender, int rounds) {
        Measured measured = times.get(contender);
        return measured == null || measured.size() < rounds ? null : measured;
    }

    /** Returns bytes a call, or null. */
    Double allocated(String contender) {
        return allocated.get(contender);
    }

    /** Returns system calls a call, by name; or null. */
    Map<String, Double> systemCalls(String contender) {
        return systemCalls.get(contender);
    }
}
