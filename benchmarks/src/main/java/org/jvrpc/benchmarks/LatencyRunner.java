package org.jvrpc.benchmarks;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jvrpc.benchmarks.harness.Contender;
import org.jvrpc.benchmarks.harness.ContenderException;
import org.jvrpc.benchmarks.harness.Contest;
import org.jvrpc.benchmarks.harness.Pair;
import org.jvrpc.benchmarks.harness.Run;
import org.jvrpc.benchmarks.harness.Workload;
import org.jvrpc.benchmarks.report.Summary;

/** Measures workloads over contenders, round by round. */
final class LatencyRunner {

    private static final long ALL_SAMPLES = Long.MAX_VALUE;

    private final Session session;
    private final LatencyPlan plan;
    private final Map<Workload, Map<String, List<Summary>>> rounds = new LinkedHashMap<>();

    LatencyRunner(Session session, LatencyPlan plan) {
        this.session = session;
        this.plan = plan;
    }

    /** Returns for each workload the medians of those contenders that finished, in the contenders' order. */
    Map<Workload, Map<String, Summary>> run(List<Contender> contenders, List<Workload> workloads) throws IOException {
        workloads.forEach(workload -> rounds.put(workload, new LinkedHashMap<>()));
        try (Run run = Run.open(); Contest contest = session.contest(run, contenders, 1)) {
            session.progress("warming up");
            contest.round(pair -> warmUp(pair, workloads));
            for (int i = 1; i <= plan.rounds() && !contest.isEmpty(); i++) {
                session.progress("round " + i + " of " + plan.rounds());
                for (Workload workload : workloads) {
                    contest.round(pair -> measure(pair, workload));
                }
            }
            session.noteOthers(run);
        }
        Map<Workload, Map<String, Summary>> medians = new LinkedHashMap<>();
        rounds.forEach((workload, byName) -> medians.put(workload, medians(contenders, byName)));
        return medians;
    }

    private void warmUp(Pair pair, List<Workload> workloads) throws ContenderException {
        Duration each = plan.warmUp().multipliedBy(pair.contender().warmUpFactor()).dividedBy(workloads.size());
        for (Workload workload : workloads) {
            // Several commands, so that the loop itself is compiled as a whole and not only in mid-run.
            for (int i = 0; i < 4 && Contenders.applies(pair.contender(), workload); i++) {
                pair.latency(workload, Duration.ZERO, each.dividedBy(4), ALL_SAMPLES);
            }
        }
    }

    private void measure(Pair pair, Workload workload) throws ContenderException {
        if (!Contenders.applies(pair.contender(), workload)) {
            return;
        }
        Summary summary = Summary.of(pair.latency(workload, plan.settle(), plan.round(), ALL_SAMPLES));
        rounds.get(workload).computeIfAbsent(pair.contender().name(), name -> new ArrayList<>()).add(summary);
    }

    private Map<String, Summary> medians(List<Contender> contenders, Map<String, List<Summary>> byName) {
        Map<String, Summary> medians = new LinkedHashMap<>();
        for (Contender contender : contenders) {
            List<Summary> summaries = byName.getOrDefault(contender.name(), List.of());
            if (summaries.size() == plan.rounds()) {
                medians.put(contender.name(), Summary.median(summaries));
            }
        }
        return medians;
    }
}
