package org.jvrpc.benchmarks.router.row;

import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jvrpc.benchmarks.Session;
import org.jvrpc.benchmarks.harness.Contender;
import org.jvrpc.benchmarks.harness.Workload;
import org.jvrpc.benchmarks.latency.LatencyPlan;
import org.jvrpc.benchmarks.latency.LatencyRunner;
import org.jvrpc.benchmarks.report.LatencyTable;
import org.jvrpc.benchmarks.report.Measured;
import org.jvrpc.benchmarks.router.NetworkWalls;
import org.jvrpc.benchmarks.router.Placement;
import org.jvrpc.benchmarks.router.RouterContenders;

/** A call without arguments from tenant to tenant of one host, beside a bare relay, the slow path, and TCP. */
final class CallRow {

    private static final String BENCH = "router-null-rpc";

    private final Session session;
    private final Placement placement = Placement.ofOneHost();

    CallRow(Session session) {
        this.session = session;
    }

    void run() throws IOException {
        LatencyPlan plan = session.choose(LatencyPlan.quick(1800, 5, 30, 200), LatencyPlan.full(11, 50, 500));
        List<Contender> contenders = session.contenders(RouterContenders.RELAY + "spin",
                RouterContenders.RELAY + "yield", RouterContenders.RELAY + "spin-yield",
                RouterContenders.RELAY + "park", RouterContenders.JVRPC,
                RouterContenders.ADAPTIVE, RouterContenders.SLOW, RouterContenders.TCP);
        Map<String, Measured> rows = new LatencyRunner(session, plan).prepared(placement::aroundTheThird)
                .run(contenders, List.of(Workload.NULL)).get(Workload.NULL);
        String best = best(rows);
        Map<String, Measured> ordered = new LinkedHashMap<>(rows);
        rows.forEach((name, row) -> note(name.substring(RouterContenders.PREFIX.length()), row, rows.get(best),
                rows.get(RouterContenders.JVRPC)));
        if (best != null) {
            session.figures().put(BENCH, "relay", rows.get(best));
        }
        session.out().println();
        session.out().println(BENCH + ": a call without arguments between two tenants of a host; the relay is "
                + (best == null ? "missing" : best + ", the best of its ways to wait"));
        if (placement.isSharing()) {
            session.out().println("two processors for three processes: client and server are kept on the first, relay"
                    + " or router on the second; the ends over TCP have one each");
        }
        session.out().println(RouterContenders.TCP + ": calls over tcp:// " + (NetworkWalls.arePossible()
                ? "between two network name spaces, over a veth pair"
                : "over the loopback device: this user may make no network name spaces"));
        session.out().print(LatencyTable.of(ordered, Stream.of(best, RouterContenders.JVRPC)
                .filter(name -> name != null).toArray(String[]::new)));
    }

    /** The limit must not be made slow: which way of waiting is best depends on the processors there are. */
    private static String best(Map<String, Measured> rows) {
        return rows.keySet().stream().filter(name -> name.startsWith(RouterContenders.RELAY))
                .min((a, b) -> Double.compare(rows.get(a).median().p50(), rows.get(b).median().p50())).orElse(null);
    }

    private void note(String who, Measured row, Measured relay, Measured jvrpc) {
        session.figures().put(BENCH, who, row);
        if (relay != null && row != relay) {
            session.figures().put(BENCH, who, "relay_ratio", row.over(relay).median());
        }
        if (jvrpc != null && row != jvrpc) {
            session.figures().put(BENCH, who, "jvrpc_ratio", row.over(jvrpc).median());
        }
    }
}
