package org.jvrpc.benchmarks;

import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jvrpc.benchmarks.harness.Contender;
import org.jvrpc.benchmarks.harness.Workload;
import org.jvrpc.benchmarks.kv.KvServers;
import org.jvrpc.benchmarks.kv.TextLoad;
import org.jvrpc.benchmarks.latency.LatencyPlan;
import org.jvrpc.benchmarks.latency.LatencyRunner;
import org.jvrpc.benchmarks.report.Format;
import org.jvrpc.benchmarks.report.LatencyTable;
import org.jvrpc.benchmarks.report.Measured;
import org.jvrpc.benchmarks.report.Table;
import picocli.CommandLine.Command;

/** Gets from the key-value store of the samples in its three ways, and from memcached by clients of all kinds. */
@Command(name = "kv")
final class Kv extends BenchCommand {

    /** The names of contenders begin with it; figures leave it out. */
    static final String PREFIX = "kv-";

    private static final String BENCH = "kv-get-32";
    private static final String ONE_SIDED = PREFIX + "one-sided";
    private static final String OFFLOAD = PREFIX + "offload";
    private static final String RPC = PREFIX + "rpc";
    private static final List<String> OURS = List.of(ONE_SIDED, OFFLOAD, RPC);
    private static final List<String> PEERS = List.of(PREFIX + "text-tcp", PREFIX + "text-uds",
            PREFIX + "spymemcached", PREFIX + "xmemcached");

    @Override
    void measure(Session session) throws IOException {
        gets(session);
        new TextLoad(session, session.choose(3, 5), session.choose(2, 5)).run();
    }

    private static void gets(Session session) throws IOException {
        LatencyPlan plan = session.choose(
                LatencyPlan.quick(1500, 5, 15, 150), LatencyPlan.full(15, 50, 500));
        List<Contender> contenders = session.contenders(Contenders.LIMIT, ONE_SIDED, OFFLOAD, RPC,
                PREFIX + "rpc-adaptive", PEERS.get(0), PEERS.get(1), PEERS.get(2), PEERS.get(3));
        Workload get = Workload.echo(32); // there goes a key, back come so many bytes
        Map<String, Measured> rows = new LatencyRunner(session, plan).run(contenders, List.of(get)).get(get);
        Map<String, Measured> named = new LinkedHashMap<>();
        rows.forEach((name, row) -> named.put(name.replaceFirst("^" + PREFIX, ""), row));
        named.forEach((name, row) -> {
            session.figures().put(BENCH, name, row);
        });
        session.out().println();
        session.out().println(BENCH + ": a value of 32 bytes of one of 1000 keys; peers against "
                + (KvServers.find("memcached") == null ? "the samples' server, as memcached is not installed"
                        : "Debian's memcached") + "; medians of " + plan.rounds() + " rounds");
        session.out().print(LatencyTable.of(named, "rpc"));
        ratios(session, rows);
    }

    private static void ratios(Session session, Map<String, Measured> rows) {
        Table table = new Table("times the p50 of", "one-sided", "offload", "rpc");
        for (String peer : PEERS) {
            if (!rows.containsKey(peer)) {
                continue;
            }
            String who = peer.substring(PREFIX.length());
            String[] cells = new String[OURS.size() + 1];
            cells[0] = who;
            for (int i = 0; i < OURS.size(); i++) {
                Measured ours = rows.get(OURS.get(i));
                cells[i + 1] = "-";
                if (ours != null) {
                    double ratio = rows.get(peer).over(ours).median();
                    cells[i + 1] = Format.ratio(ratio);
                    session.figures().put(BENCH, OURS.get(i).substring(PREFIX.length()),
                            who.replace('-', '_') + "_ratio", ratio);
                }
            }
            table.add(cells);
        }
        session.out().println();
        session.out().println(BENCH + ": a client's p50 over ours, medians over the rounds");
        session.out().print(table);
    }
}
