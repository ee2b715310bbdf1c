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
import org.jvrpc.benchmarks.harness.WarmUp;
import org.jvrpc.benchmarks.harness.Workload;
import org.jvrpc.benchmarks.latency.LatencyPlan;
import org.jvrpc.benchmarks.latency.LatencyRunner;
import org.jvrpc.benchmarks.report.Format;
import org.jvrpc.benchmarks.report.LatencyTable;
import org.jvrpc.benchmarks.report.Measured;
import org.jvrpc.benchmarks.report.Summary;
import org.jvrpc.benchmarks.report.Table;
import picocli.CommandLine.Command;

/** Calls over byte streams beside bare channels that wait in the same way, and beside gRPC. */
@Command(name = "network")
final class Network extends BenchCommand {

    static final String TCP = "tcp-jvrpc";
    static final String UNIX = "uds-jvrpc";
    static final String TLS = "tls-jvrpc";
    static final String BLOCK = "-block";
    static final String ADAPTIVE = "-adaptive";

    private static final String BARE_TCP = "tcp";
    private static final String BARE_UNIX = "uds";
    private static final String BARE_TLS = "tls";
    /** Polls as often as jvRPC does where it blocks, and sleeps then. */
    private static final String POLLING = "-polling";
    private static final String GRPC = "grpc";
    private static final String GRPC_TLS = "grpc-tls";
    private static final int WINDOW = 128;
    private static final String PIPELINE = "network-w" + WINDOW;
    /** Even a quick run waits until all are warm. */
    private static final Duration WARM_UP = Duration.ofSeconds(20);

    /** What is compared: a way of calling, and the bare channel that waits as it does. */
    private record Kind(String bench, String jvrpc, String bare, String grpc) { }

    private static final List<Kind> KINDS = List.of(
            new Kind("network-tcp", TCP, BARE_TCP + "-spinning", null),
            new Kind("network-tcp-blocking", TCP + BLOCK, BARE_TCP + POLLING, GRPC),
            new Kind("network-unix", UNIX, BARE_UNIX + "-spinning", null),
            new Kind("network-unix-blocking", UNIX + BLOCK, BARE_UNIX + POLLING, "grpc-uds"),
            new Kind("network-tls", TLS, BARE_TLS + "-spinning", null),
            new Kind("network-tls-blocking", TLS + BLOCK, BARE_TLS + POLLING, GRPC_TLS));

    @Override
    void measure(Session session) throws IOException {
        WarmUp warmUp = session.choose(WarmUp.within(WARM_UP), WarmUp.full());
        LatencyPlan plan = session.choose(new LatencyPlan(warmUp, 5, Duration.ofMillis(30), Duration.ofMillis(300)),
                LatencyPlan.full(11, 50, 500));
        Map<String, Measured> rows = new LatencyRunner(session, plan)
                .run(session.contenders(BARE_TCP + "-blocking", BARE_TCP + "-spinning", BARE_TCP + POLLING,
                        BARE_UNIX + "-blocking", BARE_UNIX + "-spinning", BARE_UNIX + POLLING, BARE_TLS + "-spinning",
                        BARE_TLS + POLLING, TCP, TCP + BLOCK, TCP + ADAPTIVE, UNIX, UNIX + BLOCK, TLS, TLS + BLOCK,
                        GRPC, "grpc-uds", GRPC_TLS), List.of(Workload.NULL)).get(Workload.NULL);
        session.out().println();
        session.out().println("network: a call without arguments over streams of this host, beside bare channels with"
                + " messages of its size; " + plan.rounds() + " rounds, closed loop");
        session.out().print(LatencyTable.of(rows, TCP));
        Table table = new Table("", "p50", "/ bare", "gRPC / it");
        Map<String, Kind> kinds = new LinkedHashMap<>();
        KINDS.forEach(kind -> kinds.put(kind.bench, kind));
        kinds.values().forEach(kind -> report(session, rows, kind, table));
        session.out().println();
        session.out().print(table);
        reportThroughput(session, warmUp);
        new NetworkIdle(session, warmUp).measure();
    }

    /** Asynchronous calls of 8 bytes there and back, many under way, by one thread of one client. */
    private void reportThroughput(Session session, WarmUp warmUp) throws IOException {
        List<Contender> contenders = session.contenders(TCP, TCP + ADAPTIVE, UNIX, GRPC);
        Duration duration = session.choose(Duration.ofMillis(200), Duration.ofMillis(500));
        int rounds = session.choose(3, 5);
        Map<String, List<Double>> rates = new LinkedHashMap<>();
        try (Run run = Run.open(); Contest contest = session.contest(run, contenders, 1)) {
            contest.round(pair -> session.warmUp(pair, PIPELINE, warmUp, length -> pair.window(1, 1, WINDOW, length)));
            for (int i = 1; i <= rounds && !contest.isEmpty(); i++) {
                session.progress("throughput, round " + i + " of " + rounds);
                contest.round(pair -> rates.computeIfAbsent(pair.contender().name(), name -> new ArrayList<>())
                        .add(pair.pipeline(1, 1, WINDOW, duration)));
            }
        }
        Table table = new Table("", "calls a second", "/ gRPC");
        Map<String, Double> medians = new LinkedHashMap<>();
        rates.forEach((name, values) -> medians.put(name,
                Summary.median(values.stream().mapToDouble(Double::doubleValue).toArray())));
        double grpc = medians.getOrDefault(GRPC, Double.NaN);
        medians.forEach((name, rate) -> {
            session.figures().put(PIPELINE, name, "ops_per_s", rate);
            table.add(name, Format.rate(rate), Double.isNaN(grpc) ? "-" : Format.ratio(rate / grpc));
        });
        session.out().println();
        session.out().println(PIPELINE + ": asynchronous calls of 8 bytes there and back, " + WINDOW
                + " under way, one thread of one client");
        session.out().print(table);
    }

    private static void report(Session session, Map<String, Measured> rows, Kind kind, Table table) {
        Measured jvrpc = rows.get(kind.jvrpc);
        Measured bare = rows.get(kind.bare);
        Measured grpc = rows.get(kind.grpc);
        if (bare != null) {
            session.figures().put(kind.bench, "bare", bare);
        }
        if (jvrpc == null) {
            return;
        }
        session.figures().put(kind.bench, "jvrpc", jvrpc);
        String overBare = "-";
        if (bare != null) {
            double ratio = jvrpc.over(bare).median();
            session.figures().put(kind.bench, "jvrpc", "bare_ratio", ratio);
            overBare = Format.ratio(ratio);
        }
        String grpcOver = "-";
        if (grpc != null) {
            session.figures().put(kind.bench, "grpc", grpc);
            double ratio = grpc.over(jvrpc).median();
            session.figures().put(kind.bench, "grpc", "jvrpc_ratio", ratio);
            grpcOver = Format.ratio(ratio);
        }
        table.add(kind.bench, Format.duration(jvrpc.median().p50()), overBare, grpcOver);
    }
}
