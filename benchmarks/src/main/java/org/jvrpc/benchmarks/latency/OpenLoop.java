package org.jvrpc.benchmarks.latency;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jvrpc.benchmarks.Session;
import org.jvrpc.benchmarks.harness.ContenderException;
import org.jvrpc.benchmarks.harness.Pair;
import org.jvrpc.benchmarks.harness.Workload;
import org.jvrpc.benchmarks.report.LatencyTable;
import org.jvrpc.benchmarks.report.Measured;
import org.jvrpc.benchmarks.report.Summary;

/**
 * Calls that are due at fixed times, each timed from when it was due: what waits behind a slow call is late, too, as
 * it would be for users. In a closed loop, where a call begins when the one before it has ended, one pause is one
 * slow call.
 */
public final class OpenLoop implements Beside {

    /** The part of its time that a contender may need for the calls: with more, a queue only grows. */
    private static final double LOAD = 0.7;

    private final int rate;
    private final Duration length;
    private final Map<String, Measured> rows = new LinkedHashMap<>();
    private final Set<String> tooSlow = new TreeSet<>();

    /**
     * Calls for a part of each turn.
     *
     * @param rate calls a second, 1 to a million
     */
    public OpenLoop(int rate, Duration length) {
        this.rate = rate;
        this.length = length;
    }

    @Override
    public void measure(Pair pair, Workload workload, Summary round) throws ContenderException {
        String name = pair.contender().name();
        if (round.p50() * 1e-9 * rate > LOAD) {
            tooSlow.add(name);
            return;
        }
        rows.computeIfAbsent(name, row -> new Measured()).add(Summary.of(pair.paced(workload, length, rate)));
    }

    /** Notes and prints the rows of those that took part in all rounds. */
    public void report(Session session, String bench, int rounds) {
        rows.values().removeIf(row -> row.size() < rounds);
        rows.forEach((name, row) -> session.figures().put(bench + "-rate-" + rate, name, row));
        session.out().println();
        session.out().println(bench + ": open loop, " + rate + " calls a second, each timed from when it was due");
        if (!rows.isEmpty()) {
            session.out().print(LatencyTable.of(rows));
        }
        if (!tooSlow.isEmpty()) {
            session.out().println("too slow for that: " + String.join(", ", tooSlow));
        }
    }
}
