package org.jvrpc.benchmarks;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.jvrpc.benchmarks.harness.Contender;
import org.jvrpc.benchmarks.harness.Workload;
import org.jvrpc.benchmarks.report.LatencyTable;
import org.jvrpc.benchmarks.report.Summary;
import picocli.CommandLine.Command;

/** A call without arguments or result. */
@Command(name = "null-rpc")
final class NullRpc extends BenchCommand {

    private static final String NAME = "null-rpc";

    @Override
    void measure(Session session) throws IOException {
        LatencyPlan plan = session.choose(
                LatencyPlan.ofMillis(1000, 3, 20, 300), LatencyPlan.ofMillis(4000, 7, 100, 1000));
        List<Contender> contenders = session.quick()
                ? session.contenders(Contenders.LIMIT, Contenders.JVRPC, Contenders.ADAPTIVE, "aeron-ipc",
                        "tcp-blocking", "tcp-spinning", "uds-blocking", "uds-spinning", "grpc")
                : session.contenders(Contenders.LIMIT, Contenders.JVRPC, Contenders.ADAPTIVE, "aeron-ipc",
                        "tcp-blocking", "tcp-spinning", "uds-blocking", "uds-spinning", "grpc", "grpc-direct");
        Map<String, Summary> medians = new LatencyRunner(session, plan)
                .run(contenders, List.of(Workload.NULL))
                .get(Workload.NULL);
        report(session, NAME, "no arguments, no result; p50 ... max are medians of " + plan.rounds() + " rounds",
                medians);
    }

    /** Notes the summaries of one workload and prints their table. */
    static void report(Session session, String bench, String what, Map<String, Summary> medians) {
        medians.forEach((name, summary) -> session.figures().put(bench, name, summary));
        session.out().println();
        session.out().println(bench + ": " + what);
        session.out().print(LatencyTable.of(medians, List.of(Contenders.LIMIT, Contenders.JVRPC)));
    }
}
