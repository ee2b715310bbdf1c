package org.jvrpc.benchmarks.router.row;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.jvrpc.benchmarks.Session;
import org.jvrpc.benchmarks.harness.Workload;
import org.jvrpc.benchmarks.latency.LatencyPlan;
import org.jvrpc.benchmarks.latency.LatencyRunner;
import org.jvrpc.benchmarks.report.Format;
import org.jvrpc.benchmarks.report.Measured;
import org.jvrpc.benchmarks.report.Table;
import org.jvrpc.benchmarks.router.RouterContenders;
import org.jvrpc.benchmarks.router.WriteClient;

/** WRITEs of 1 MiB from tenant to tenant beside one core's copy bandwidth. */
final class WriteRow {

    private static final String BENCH = "router-write";

    private final Session session;

    WriteRow(Session session) {
        this.session = session;
    }

    void run() throws IOException {
        LatencyPlan plan = session.choose(LatencyPlan.quick(1500, 5, 30, 200), LatencyPlan.full(11, 50, 500));
        Map<String, Measured> rows = new LatencyRunner(session, plan)
                .run(session.contenders(RouterContenders.WRITE, RouterContenders.COPY), List.of(Workload.NULL))
                .get(Workload.NULL);
        Measured copy = rows.get(RouterContenders.COPY);
        Table table = new Table("", "moved", "/ copy");
        rows.forEach((name, row) -> {
            String who = row == copy ? "copy" : "jvrpc";
            double bandwidth = WriteClient.BYTES * 1e9 / row.median().p50();
            session.figures().put(BENCH, who, "bytes_per_s", bandwidth);
            String ratio = "-";
            if (copy != null && row != copy) {
                double fraction = 1 / row.over(copy).median();
                session.figures().put(BENCH, who, "copy_fraction", fraction);
                ratio = Format.ratio(fraction);
            }
            table.add(name, Format.bandwidth(bandwidth), ratio);
        });
        session.out().println();
        session.out().println(BENCH + ": WRITEs of 1 MiB, two under way, between two tenants of a host, beside one"
                + " core's copy bandwidth, at p50");
        session.out().print(table);
    }
}
