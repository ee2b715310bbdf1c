package org.jvrpc.benchmarks.router.row;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.jvrpc.benchmarks.Session;
import org.jvrpc.benchmarks.harness.Contest;
import org.jvrpc.benchmarks.harness.Workload;
import org.jvrpc.benchmarks.latency.LatencyPlan;
import org.jvrpc.benchmarks.latency.LatencyRunner;
import org.jvrpc.benchmarks.report.Format;
import org.jvrpc.benchmarks.report.LatencyTable;
import org.jvrpc.benchmarks.report.Measured;
import org.jvrpc.benchmarks.report.Table;
import org.jvrpc.benchmarks.router.Placement;
import org.jvrpc.benchmarks.router.RouterContenders;
import org.jvrpc.benchmarks.router.WriteClient;

/** Calls and WRITEs from tenant to tenant of two hosts, beside {@code roce://} without routers. */
final class HostsRow {

    private static final String CALLS = "router-hosts-null-rpc";
    private static final String WRITES = "router-hosts-write";
    private static final String ROCE_CALLS = "roce-jvrpc-adaptive";
    private static final String ROCE_WRITES = "roce-write";

    private final Session session;
    private final Placement placement = Placement.ofTwoHosts();

    HostsRow(Session session) {
        this.session = session;
    }

    void run() throws IOException {
        Map<String, Measured> calls = measure(placement::byHost, ROCE_CALLS, RouterContenders.HOSTS,
                RouterContenders.HOSTS_SEALED);
        calls.forEach((name, row) -> {
            session.figures().put(CALLS, who(name), row);
            if (calls.containsKey(ROCE_CALLS) && !name.equals(ROCE_CALLS)) {
                session.figures().put(CALLS, who(name), "roce_ratio", row.over(calls.get(ROCE_CALLS)).median());
            }
        });
        session.out().println();
        session.out().println(CALLS + ": a call without arguments between two tenants of two hosts, whose routers reach"
                + " each other over roce:// between two addresses of the loopback device, sealed or not; " + ROCE_CALLS
                + ": such a call over roce:// without routers");
        if (placement.isSharing()) {
            session.out().println("two processors for four threads that poll: each host, a tenant and its router, has"
                    + " one");
        }
        session.out().print(LatencyTable.of(calls, ROCE_CALLS));
        writes(measure(pair -> { }, ROCE_WRITES, RouterContenders.HOSTS_WRITE, RouterContenders.HOSTS_WRITE_SEALED));
    }

    private Map<String, Measured> measure(Contest.Turn prepare, String... names) throws IOException {
        LatencyPlan plan = session.choose(LatencyPlan.quick(2000, 5, 30, 250), LatencyPlan.full(11, 50, 700));
        return new LatencyRunner(session, plan).prepared(prepare)
                .run(session.contenders(names), List.of(Workload.NULL)).get(Workload.NULL);
    }

    private static String who(String name) {
        return name.startsWith("roce") ? "roce" : name.endsWith("-sealed") ? "jvrpc-sealed" : "jvrpc";
    }

    private void writes(Map<String, Measured> rows) {
        Measured roce = rows.get(ROCE_WRITES);
        Table table = new Table("", "moved", "/ " + ROCE_WRITES);
        rows.forEach((name, row) -> {
            double bandwidth = WriteClient.BYTES * 1e9 / row.median().p50();
            session.figures().put(WRITES, who(name), "bytes_per_s", bandwidth);
            String ratio = "-";
            if (roce != null && row != roce) {
                double fraction = 1 / row.over(roce).median();
                session.figures().put(WRITES, who(name), "roce_fraction", fraction);
                ratio = Format.ratio(fraction);
            }
            table.add(name, Format.bandwidth(bandwidth), ratio);
        });
        session.out().println();
        session.out().println(WRITES + ": WRITEs of 1 MiB, two under way, in the same way, at p50");
        session.out().print(table);
    }
}
