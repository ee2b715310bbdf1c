package org.jvrpc.benchmarks;

import java.io.IOException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jvrpc.benchmarks.harness.Contender;
import org.jvrpc.benchmarks.harness.ContenderException;
import org.jvrpc.benchmarks.harness.Pair;
import org.jvrpc.benchmarks.harness.WarmUp;
import org.jvrpc.benchmarks.harness.Workload;
import org.jvrpc.benchmarks.latency.Beside;
import org.jvrpc.benchmarks.latency.LatencyPlan;
import org.jvrpc.benchmarks.latency.LatencyRunner;
import org.jvrpc.benchmarks.report.Format;
import org.jvrpc.benchmarks.report.Measured;
import org.jvrpc.benchmarks.report.Summary;
import org.jvrpc.benchmarks.report.Table;

/** A call of one client beside idle connections to the same server, and what a connection takes of its memory. */
final class NetworkIdle {

    private static final String INFIX = "-idle-";
    private static final int MANY = 10_000;
    private static final String BENCH = "network" + INFIX;

    private final Session session;
    private final LatencyPlan plan;
    private final Map<String, Held> held = new LinkedHashMap<>();
    private final Table table = new Table("one caller and", "connections", "p50", "p99", "p50 / alone", "one holds",
            "of it on the heap");

    /** What a server's process holds in all, and what of that on its heap, in bytes. */
    private record Held(long all, long heap) { }

    NetworkIdle(Session session, WarmUp warmUp) {
        this.session = session;
        this.plan = session.choose(new LatencyPlan(warmUp, 5, Duration.ofMillis(30), Duration.ofMillis(300)),
                LatencyPlan.full(11, 50, 500));
    }

    /** Returns the contender that calls beside so many connections, its own among them. */
    static String name(String contender, int connections) {
        return contender + INFIX + connections;
    }

    void measure() throws IOException {
        for (String caller : List.of(Network.TCP, Network.TCP + Network.ADAPTIVE, Network.TCP + Network.BLOCK,
                Network.TLS)) {
            List<Contender> contenders = session.contenders(name(caller, 1), name(caller, MANY));
            Map<String, Measured> rows = new LatencyRunner(session, plan, new HeldByServer())
                    .run(contenders, List.of(Workload.NULL)).get(Workload.NULL);
            report(caller, rows);
        }
        session.out().println();
        session.out().println("network-idle: null calls of one client, closed loop, beside idle connections of its"
                + " process that have called once; what one more holds in the server's: memory of its own that was"
                + " touched, and its heap's live objects");
        session.out().print(table);
    }

    /** Once, behind the first round. */
    private final class HeldByServer implements Beside {

        @Override
        public void measure(Pair pair, Workload workload, Summary round) throws ContenderException {
            if (!held.containsKey(pair.contender().name())) {
                long heap = pair.serverHeap();
                held.put(pair.contender().name(), new Held(pair.serverMemory(), heap));
            }
        }
    }

    private void report(String caller, Map<String, Measured> rows) {
        Measured alone = rows.get(name(caller, 1));
        Measured beside = rows.get(name(caller, MANY));
        String who = caller.equals(Network.TCP) ? "jvrpc" : caller;
        String memory = caller.equals(Network.TCP) ? "memory" : caller + "-memory";
        if (alone != null) {
            session.figures().put(BENCH + 1, who, alone);
            table.add(List.of(caller, "1", Format.duration(alone.median().p50()),
                    Format.duration(alone.median().p99()), "1", "-", "-"));
        }
        if (beside == null) {
            return;
        }
        session.figures().put(BENCH + MANY, who, beside);
        String ratio = "-";
        String bytes = "-";
        String heapBytes = "-";
        if (alone != null) {
            double p50Ratio = beside.over(alone).median();
            Held many = held.get(name(caller, MANY));
            Held one = held.get(name(caller, 1));
            double each = (many.all - one.all) / (MANY - 1.0);
            double eachOnHeap = (many.heap - one.heap) / (MANY - 1.0);
            session.figures().put(BENCH + MANY, who, "p50_alone_ratio", p50Ratio);
            session.figures().put(BENCH + MANY, memory, "bytes_per_connection", each);
            session.figures().put(BENCH + MANY, memory, "heap_bytes_per_connection", eachOnHeap);
            ratio = Format.ratio(p50Ratio);
            bytes = kib(each);
            heapBytes = kib(eachOnHeap);
        }
        table.add(List.of(caller, Integer.toString(MANY), Format.duration(beside.median().p50()),
                Format.duration(beside.median().p99()), ratio, bytes, heapBytes));
    }

    private static String kib(double bytes) {
        return Math.round(bytes / 102.4) / 10.0 + " KiB";
    }
}
