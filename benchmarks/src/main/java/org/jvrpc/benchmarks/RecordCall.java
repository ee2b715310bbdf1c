package org.jvrpc.benchmarks;

import java.io.IOException;
import java.util.List;
import org.jvrpc.benchmarks.harness.Workload;
import org.jvrpc.benchmarks.latency.LatencyPlan;
import org.jvrpc.benchmarks.latency.LatencyRunner;
import picocli.CommandLine.Command;

/** A record of five fields and a String there, a long back. */
@Command(name = "record")
final class RecordCall extends BenchCommand {

    @Override
    void measure(Session session) throws IOException {
        LatencyPlan plan = session.choose(
                LatencyPlan.quick(3000, 11, 20, 300), LatencyPlan.full(31, 50, 1000));
        NullRpc.report(session, "record", "record of 5 fields and a String there, long back; "
                + plan.rounds() + " rounds", new LatencyRunner(session, plan)
                .run(session.contenders(Contenders.LIMIT, Contenders.JVRPC, Contenders.ADAPTIVE),
                        List.of(Workload.RECORD))
                .get(Workload.RECORD));
    }
}
