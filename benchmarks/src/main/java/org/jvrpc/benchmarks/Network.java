package org.jvrpc.benchmarks;

import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jvrpc.benchmarks.harness.Workload;
import org.jvrpc.benchmarks.latency.LatencyPlan;
import org.jvrpc.benchmarks.latency.LatencyRunner;
import org.jvrpc.benchmarks.report.Format;
import org.jvrpc.benchmarks.report.LatencyTable;
import org.jvrpc.benchmarks.report.Measured;
import org.jvrpc.benchmarks.report.Table;
import picocli.CommandLine.Command;

/** Calls over byte streams beside bare channels that wait in the same way, and beside gRPC. */
@Command(name = "network")
final class Network extends BenchCommand {

    static final String TCP = "tcp-jvrpc";
    static final String UNIX = "uds-jvrpc";
    static final String BLOCK = "-block";
    static final String ADAPTIVE = "-adaptive";

    private static final String BARE_TCP = "tcp";
    private static final String BARE_UNIX = "uds";
    private static final String GRPC = "grpc";

    /** What is compared: a way of calling, and the bare channel that waits as it does. */
    private record Kind(String bench, String jvrpc, String bare, String grpc) { }

    private static final List<Kind> KINDS = List.of(
            new Kind("network-tcp", TCP, BARE_TCP + "-spinning", null),
            new Kind("network-tcp-blocking", TCP + BLOCK, BARE_TCP + "-blocking", GRPC),
            new Kind("network-unix", UNIX, BARE_UNIX + "-spinning", null),
            new Kind("network-unix-blocking", UNIX + BLOCK, BARE_UNIX + "-blocking", "grpc-uds"));

    @Override
    void measure(Session session) throws IOException {
        LatencyPlan plan = session.choose(LatencyPlan.quick(2000, 5, 30, 300), LatencyPlan.full(11, 50, 500));
        Map<String, Measured> rows = new LatencyRunner(session, plan)
                .run(session.contenders(BARE_TCP + "-blocking", BARE_TCP + "-spinning", BARE_UNIX + "-blocking",
                        BARE_UNIX + "-spinning", TCP, TCP + BLOCK, TCP + ADAPTIVE, UNIX, UNIX + BLOCK, GRPC,
                        "grpc-uds"), List.of(Workload.NULL)).get(Workload.NULL);
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
