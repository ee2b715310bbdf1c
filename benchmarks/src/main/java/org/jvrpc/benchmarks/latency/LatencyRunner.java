package org.jvrpc.benchmarks.latency;

import java.io.IOException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jvrpc.benchmarks.Contenders;
import org.jvrpc.benchmarks.Session;
import org.jvrpc.benchmarks.harness.Contender;
import org.jvrpc.benchmarks.harness.ContenderException;
import org.jvrpc.benchmarks.harness.Contest;
import org.jvrpc.benchmarks.harness.Pair;
import org.jvrpc.benchmarks.harness.Run;
import org.jvrpc.benchmarks.harness.WarmUp;
import org.jvrpc.benchmarks.harness.Workload;
import org.jvrpc.benchmarks.report.Format;
import org.jvrpc.benchmarks.report.Measured;
import org.jvrpc.benchmarks.report.Summary;

/** Measures workloads over contenders, round by round, and the limit just before each contender's turn. */
public final class LatencyRunner {

    private static final long ALL_SAMPLES = Long.MAX_VALUE;
    private static final Duration PROBE_SETTLE = Duration.ofMillis(3);
    private static final Duration PROBE = Duration.ofMillis(8);
    private static final int PROBES = 20;
    /** No two processors are that far apart: a limit above it waited for the scheduler. */
    private static final long ONE_PROCESSOR_NS = 20_000;
    /** The limit's p50 may change by this factor without a remark. */
    private static final double STEADY = 1.5;

    private final Session session;
    private final LatencyPlan plan;
    private final List<Beside> beside;
    private final Map<Workload, Map<String, Measured>> rounds = new LinkedHashMap<>();
    private Contest.Turn prepare = pair -> { };

    /** A runner. @param beside what each turn measures behind its round */
    public LatencyRunner(Session session, LatencyPlan plan, Beside... beside) {
        this.session = session;
        this.plan = plan;
        this.beside = List.of(beside);
    }

    /** Has something done to each contender's processes before they are warmed up. */
    public LatencyRunner prepared(Contest.Turn how) {
        prepare = how;
        return this;
    }

    /** Returns for each workload what those contenders took that finished, in the contenders' order. */
    public Map<Workload, Map<String, Measured>> run(List<Contender> contenders, List<Workload> workloads)
            throws IOException {
        for (Workload workload : workloads) {
            Map<String, Measured> byName = new LinkedHashMap<>();
            contenders.forEach(contender -> byName.put(contender.name(), new Measured()));
            rounds.put(workload, byName);
        }
        try (Run run = Run.open(); Contest contest = session.contest(run, contenders, 1)) {
            contest.round(prepare);
            session.progress("warming up");
            contest.round(pair -> warmUp(pair, workloads));
            for (int i = 1; i <= plan.rounds() && !contest.isEmpty(); i++) {
                session.progress("round " + i + " of " + plan.rounds());
                for (Workload workload : workloads) {
                    contest.round(pair -> measure(contest, pair, workload));
                }
            }
            session.noteOthers(run.othersCpuFraction());
        }
        rounds.values().forEach(byName -> byName.values().removeIf(measured -> measured.size() < plan.rounds()));
        remarkOnTheLimit();
        return rounds;
    }

    private void warmUp(Pair pair, List<Workload> workloads) throws ContenderException {
        WarmUp warmUp = plan.warmUp().forOneOf(workloads.size());
        for (Workload workload : workloads) {
            if (Contenders.applies(pair.contender(), workload)) {
                WarmUp.Outcome outcome = warmUp.run(pair, length -> pair.window(workload, length));
                session.noteWarmUp(pair.contender().name(), workload.toString(), outcome);
            }
        }
    }

    private void measure(Contest contest, Pair pair, Workload workload) throws ContenderException {
        Contender contender = pair.contender();
        if (!Contenders.applies(contender, workload)) {
            return;
        }
        Measured measured = rounds.get(workload).get(contender.name());
        Pair limit = contest.pair(Contenders.LIMIT);
        if (limit == null || limit == pair) {
            Summary own = turn(pair, workload);
            if (limit == null) {
                measured.add(own);
            } else {
                measured.add(own, own.p50());
            }
            return;
        }
        long limitNs = limitBeside(contest, pair);
        measured.add(turn(pair, workload), limitNs);
    }

    /** Returns the limit's p50, taken while a pair is stopped; 0 when the limit does not take part. */
    public static long limitBeside(Contest contest, Pair pair) throws ContenderException {
        Pair limit = contest.pair(Contenders.LIMIT);
        if (limit == null) {
            return 0;
        }
        if (limit == pair) {
            return probe(limit);
        }
        pair.stop();
        limit.resume();
        long limitNs = probe(limit);
        limit.stop();
        pair.resume();
        return limitNs;
    }

    /**
     * Returns the limit's p50 from a short turn, a new one when its two processes found themselves on one processor.
     */
    private static long probe(Pair limit) throws ContenderException {
        long p50 = 0;
        for (int i = 0; i < PROBES; i++) {
            p50 = Summary.of(limit.latency(Workload.NULL, PROBE_SETTLE, PROBE, ALL_SAMPLES)).p50();
            if (p50 < ONE_PROCESSOR_NS) {
                break;
            }
        }
        return p50;
    }

    private Summary turn(Pair pair, Workload workload) throws ContenderException {
        Summary round = Summary.of(pair.latency(workload, plan.settle(), plan.round(), ALL_SAMPLES));
        for (Beside other : beside) {
            other.measure(pair, workload, round);
        }
        return round;
    }

    private void remarkOnTheLimit() {
        double spread = rounds.values().stream()
                .flatMap(byName -> byName.values().stream())
                .mapToDouble(Measured::limitSpread)
                .max()
                .orElse(1);
        if (spread > STEADY) {
            session.progress("the limit itself changed by a factor of " + Format.ratio(spread)
                    + " during the run: the host moved the processors, compare ratios only");
        }
    }
}
