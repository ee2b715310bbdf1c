package org.jvrpc.benchmarks;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.jvrpc.benchmarks.harness.Contender;
import org.jvrpc.benchmarks.harness.Workload;
import org.jvrpc.benchmarks.report.LatencyTable;
import org.jvrpc.benchmarks.report.Measured;
import picocli.CommandLine.Command;

/** A call without arguments or result. */
@Command(name = "null-rpc")
final class NullRpc extends BenchCommand {

    private static final String NAME = "null-rpc";

    @Override
    void measure(Session session) throws IOException {
        LatencyPlan plan = session.choose(
                LatencyPlan.ofMillis(1000, 5, 15, 180), LatencyPlan.ofMillis(4000, 15, 50, 500));
        List<Contender> contenders = session.quick()
                ? session.contenders(Contenders.LIMIT, Contenders.JVRPC, Contenders.ADAPTIVE, "aeron-ipc",
                        "tcp-blocking", "tcp-spinning", "uds-blocking", "uds-spinning", "grpc")
                : session.contenders(Contenders.LIMIT, Contenders.JVRPC, Contenders.ADAPTIVE, "aeron-ipc",
                        "tcp-blocking", "tcp-spinning", "uds-blocking", "uds-spinning", "grpc", "grpc-direct");
        Map<String, Measured> rows = new LatencyRunner(session, plan)
                .run(contenders, List.of(Workload.NULL))
                .get(Workload.NULL);
        report(session, NAME, "no arguments, no result; medians of " + plan.rounds() + " rounds", rows);
    }

    /** Notes the rows of one workload and prints their table. */
    static void report(Session session, String bench, String what, Map<String, Measured> rows) {
        rows.forEach((name, row) -> {
            session.figures().put(bench, name, row.median());
            if (row.hasLimit()) {
                session.figures().put(bench, name, "p50_limit_ratio", row.overLimit());
            }
        });
        session.out().println();
        session.out().println(bench + ": " + what);
        session.out().print(LatencyTable.of(rows, Contenders.JVRPC));
    }
}
