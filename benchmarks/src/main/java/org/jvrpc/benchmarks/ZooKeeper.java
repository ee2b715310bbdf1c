package org.jvrpc.benchmarks;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jvrpc.benchmarks.harness.Contender;
import org.jvrpc.benchmarks.harness.Contest;
import org.jvrpc.benchmarks.harness.Run;
import org.jvrpc.benchmarks.harness.Workload;
import org.jvrpc.benchmarks.latency.LatencyPlan;
import org.jvrpc.benchmarks.latency.LatencyRunner;
import org.jvrpc.benchmarks.report.Format;
import org.jvrpc.benchmarks.report.LatencyTable;
import org.jvrpc.benchmarks.report.Measured;
import org.jvrpc.benchmarks.report.Summary;
import org.jvrpc.benchmarks.report.Table;
import org.jvrpc.benchmarks.zookeeper.ZkCall;
import org.jvrpc.benchmarks.zookeeper.ZkPipeline;
import picocli.CommandLine.Command;

/** ZooKeeper over the plugin of the samples beside ZooKeeper over its own transports. */
@Command(name = "zookeeper")
final class ZooKeeper extends BenchCommand {

    /** The names of contenders begin with it; figures leave it out. */
    static final String PREFIX = "zookeeper-";

    private static final String OURS = "jvrpc";
    private static final Duration QUICK_WARM_UP = Duration.ofMillis(500);
    private static final List<String> STOCK = List.of("nio", "netty");

    /**
     * Calls of several threads, or asynchronous ones.
     *
     * @param window what the pipelines take it for
     */
    private record Load(String name, int threads, int window) {
    }

    private static final List<Load> LOADS = List.of(
            new Load(PREFIX + "async-exists", 1, 256),
            new Load(PREFIX + "exists-t16", 16, ZkPipeline.EXISTS),
            new Load(PREFIX + "set-t16", 16, ZkPipeline.SET));

    @Override
    void measure(Session session) throws IOException {
        List<Contender> contenders = session.contenders(PREFIX + OURS, PREFIX + "nio", PREFIX + "netty");
        latencies(session, contenders);
        rates(session, contenders);
    }

    private static void latencies(Session session, List<Contender> contenders) throws IOException {
        LatencyPlan plan = session.choose(
                LatencyPlan.quick(2500, 5, 30, 200), LatencyPlan.full(15, 30, 500));
        List<Workload> workloads = new ArrayList<>();
        for (ZkCall call : ZkCall.values()) {
            workloads.add(call.workload());
        }
        Map<Workload, Map<String, Measured>> all = new LatencyRunner(session, plan).run(contenders, workloads);
        for (ZkCall call : ZkCall.values()) {
            String bench = PREFIX + call.name().toLowerCase(java.util.Locale.ROOT);
            Map<String, Measured> rows = new LinkedHashMap<>();
            all.get(call.workload()).forEach((name, row) -> rows.put(name.substring(PREFIX.length()), row));
            rows.forEach((name, row) -> session.figures().put(bench, name, row));
            Measured ours = rows.get(OURS);
            for (String peer : STOCK) {
                if (ours != null && rows.containsKey(peer)) {
                    session.figures().put(bench, OURS, peer + "_ratio", rows.get(peer).over(ours).median());
                }
            }
            session.out().println();
            session.out().println(bench + ": synchronous calls of one thread; medians of " + plan.rounds() + " rounds");
            session.out().print(LatencyTable.of(rows, OURS));
        }
    }

    private static void rates(Session session, List<Contender> contenders) throws IOException {
        Duration duration = session.choose(Duration.ofMillis(200), Duration.ofMillis(600));
        int rounds = session.choose(5, 9);
        Map<Load, Map<String, List<Double>>> rates = new LinkedHashMap<>();
        LOADS.forEach(load -> rates.put(load, new LinkedHashMap<>()));
        try (Run run = Run.open(); Contest contest = session.contest(run, contenders, 1)) {
            session.progress("warming up");
            for (Load load : LOADS) {
                contest.round(pair -> session.warmUp(pair, load.name(), QUICK_WARM_UP,
                        length -> pair.window(1, load.threads(), load.window(), length)));
            }
            for (int i = 1; i <= rounds && !contest.isEmpty(); i++) {
                session.progress("round " + i + " of " + rounds);
                for (Load load : LOADS) {
                    contest.round(pair -> rates.get(load)
                            .computeIfAbsent(pair.contender().name().substring(PREFIX.length()),
                                    name -> new ArrayList<>())
                            .add(pair.pipeline(1, load.threads(), load.window(), duration)));
                }
            }
            session.noteOthers(run.othersCpuFraction());
        }
        report(session, rates, rounds);
    }

    private static void report(Session session, Map<Load, Map<String, List<Double>>> rates, int rounds) {
        Table table = new Table("", OURS, STOCK.get(0), STOCK.get(1), "over nio", "over netty");
        rates.forEach((load, byName) -> {
            List<String> cells = new ArrayList<>(List.of(load.name()));
            List<Double> ours = byName.getOrDefault(OURS, List.of());
            cells.add(cell(session, load, OURS, ours, rounds));
            STOCK.forEach(peer -> cells.add(cell(session, load, peer, byName.getOrDefault(peer, List.of()), rounds)));
            STOCK.forEach(peer -> cells.add(ratio(session, load, peer, ours, byName.getOrDefault(peer, List.of()))));
            table.add(cells);
        });
        session.out().println();
        session.out().println("calls a second; async-exists: 256 under way of one thread; t16: 16 threads of one"
                + " handle, one call each at a time; medians of " + rounds + " rounds");
        session.out().print(table);
    }

    private static String cell(Session session, Load load, String name, List<Double> values, int rounds) {
        if (values.size() < rounds) {
            return "-";
        }
        double rate = Summary.median(values.stream().mapToDouble(Double::doubleValue).toArray());
        session.figures().put(load.name(), name, "ops_per_s", rate);
        return Format.rate(rate);
    }

    private static String ratio(Session session, Load load, String peer, List<Double> ours, List<Double> theirs) {
        if (ours.isEmpty() || ours.size() != theirs.size()) {
            return "-";
        }
        double[] ratios = new double[ours.size()];
        for (int i = 0; i < ratios.length; i++) {
            ratios[i] = ours.get(i) / theirs.get(i);
        }
        double ratio = Summary.median(ratios);
        session.figures().put(load.name(), OURS, peer + "_ratio", ratio);
        return Format.ratio(ratio);
    }
}
