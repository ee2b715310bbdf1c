package org.jvrpc.benchmarks;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jvrpc.benchmarks.harness.Contender;
import org.jvrpc.benchmarks.harness.ContenderException;
import org.jvrpc.benchmarks.harness.Contest;
import org.jvrpc.benchmarks.harness.Pair;
import org.jvrpc.benchmarks.harness.Run;
import org.jvrpc.benchmarks.harness.Workload;
import org.jvrpc.benchmarks.hdfs.HdfsClientEnd;
import org.jvrpc.benchmarks.report.Format;
import org.jvrpc.benchmarks.report.LatencyTable;
import org.jvrpc.benchmarks.report.Measured;
import org.jvrpc.benchmarks.report.Summary;
import org.jvrpc.benchmarks.report.Table;
import picocli.CommandLine.Command;

/** Hadoop's own DFS client and NameNode, over the plugin of the samples and over Hadoop's own transport. */
@Command(name = "hdfs")
final class Hdfs extends BenchCommand {

    /** The names of contenders begin with it; figures leave it out. */
    static final String PREFIX = "hdfs-";
    static final String JVRPC = PREFIX + "jvrpc";
    static final String STOCK = PREFIX + "stock";

    private static final int THREADS = 16;
    private static final Duration QUICK_WARM_UP = Duration.ofMillis(2500);

    private final Map<HdfsClientEnd.Call, Map<String, Measured>> times = new LinkedHashMap<>();
    private final Map<HdfsClientEnd.Call, Map<String, List<Double>>> rates = new LinkedHashMap<>();

    private record Plan(int rounds, Duration settle, Duration round, Duration load) {
    }

    @Override
    void measure(Session session) throws IOException {
        Plan plan = session.choose(
                new Plan(5, Duration.ofMillis(30), Duration.ofMillis(200),
                        Duration.ofMillis(250)),
                new Plan(15, Duration.ofMillis(60), Duration.ofMillis(500),
                        Duration.ofMillis(500)));
        List<Contender> contenders = session.contenders(JVRPC, STOCK);
        for (HdfsClientEnd.Call call : HdfsClientEnd.Call.values()) {
            times.put(call, new LinkedHashMap<>());
            rates.put(call, new LinkedHashMap<>());
        }
        try (Run run = Run.open(); Contest contest = session.contest(run, contenders, 1)) {
            session.progress("warming up");
            contest.round(pair -> warmUp(session, pair));
            for (int i = 1; i <= plan.rounds() && !contest.isEmpty(); i++) {
                session.progress("round " + i + " of " + plan.rounds());
                for (HdfsClientEnd.Call call : HdfsClientEnd.Call.values()) {
                    contest.round(pair -> times.get(call)
                            .computeIfAbsent(nameOf(pair), name -> new Measured())
                            .add(Summary.of(pair.latency(workload(call), plan.settle(), plan.round(),
                                    Long.MAX_VALUE))));
                    contest.round(pair -> rates.get(call)
                            .computeIfAbsent(nameOf(pair), name -> new ArrayList<>())
                            .add(pair.pipeline(1, THREADS, call.ordinal(), plan.load())));
                }
            }
            session.noteOthers(run.othersCpuFraction());
        }
        for (HdfsClientEnd.Call call : HdfsClientEnd.Call.values()) {
            times.get(call).values().removeIf(measured -> measured.size() < plan.rounds());
            rates.get(call).values().removeIf(all -> all.size() < plan.rounds());
            report(session, call, plan.rounds());
        }
    }

    private static String nameOf(Pair pair) {
        return pair.contender().name().substring(PREFIX.length());
    }

    private static Workload workload(HdfsClientEnd.Call call) {
        return Workload.lookup(call.ordinal());
    }

    private static void warmUp(Session session, Pair pair) throws ContenderException {
        for (HdfsClientEnd.Call call : HdfsClientEnd.Call.values()) {
            session.warmUp(pair, call.name(), QUICK_WARM_UP, length -> pair.window(workload(call), length));
            session.warmUp(pair, call.name() + " by " + THREADS + " threads", QUICK_WARM_UP.dividedBy(4),
                    length -> pair.window(1, THREADS, call.ordinal(), length));
        }
    }

    private void report(Session session, HdfsClientEnd.Call call, int rounds) {
        String bench = PREFIX + call.name().toLowerCase(Locale.ROOT).replace('_', '-');
        Map<String, Measured> rows = times.get(call);
        rows.forEach((name, row) -> session.figures().put(bench, name, row));
        session.out().println();
        session.out().println(bench + ": by one thread; medians of " + rounds + " rounds");
        session.out().print(LatencyTable.of(rows, "jvrpc"));
        Measured jvrpc = rows.get("jvrpc");
        Measured stock = rows.get("stock");
        if (jvrpc != null && stock != null) {
            session.figures().put(bench, "jvrpc", "stock_ratio", stock.over(jvrpc).median());
        }
        Table table = new Table(THREADS + " threads", "calls a second");
        rates.get(call).forEach((name, all) -> {
            double rate = Summary.median(all.stream().mapToDouble(Double::doubleValue).toArray());
            session.figures().put(bench + "-t" + THREADS, name, "ops_per_s", rate);
            table.add(name, Format.rate(rate));
        });
        session.out().println();
        session.out().print(table);
    }
}
