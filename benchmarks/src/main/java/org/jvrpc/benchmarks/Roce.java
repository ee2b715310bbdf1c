package org.jvrpc.benchmarks;

import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jvrpc.benchmarks.harness.Workload;
import org.jvrpc.benchmarks.latency.LatencyPlan;
import org.jvrpc.benchmarks.latency.LatencyRunner;
import org.jvrpc.benchmarks.rdma.Goodput;
import org.jvrpc.benchmarks.rdma.Verb;
import org.jvrpc.benchmarks.report.Format;
import org.jvrpc.benchmarks.report.LatencyTable;
import org.jvrpc.benchmarks.report.Measured;
import org.jvrpc.benchmarks.report.Table;
import picocli.CommandLine.Command;

/** Calls and verbs over {@code roce://} beside bare datagrams of the same sizes, over the loopback device. */
@Command(name = "roce")
final class Roce extends BenchCommand {

    static final String PREFIX = "roce-";
    static final String UDP = PREFIX + "udp";
    static final String JVRPC = PREFIX + "jvrpc";
    static final String ADAPTIVE = PREFIX + "jvrpc-adaptive";
    static final String SEND = PREFIX + "send";
    static final String SEND_SIGNALLED = SEND + "-signalled";
    static final String UDP_STREAM = PREFIX + "udp-stream";
    static final String WRITE = PREFIX + "write";

    /** A service or device at the loopback device, with a port that is free. */
    static final String ADDRESS = "roce://127.0.0.1:0";

    private static final String LOSS = "0.001";
    private static final int GOODPUT_BYTES = 16 << 20;
    private static final long COUNTED_CALLS = 2000;

    private final Map<String, Double> allocated = new LinkedHashMap<>();

    @Override
    void measure(Session session) throws IOException {
        Map<String, Measured> calls = run(session, UDP, JVRPC, ADAPTIVE, SEND, SEND_SIGNALLED);
        report(session, calls);
        reportTransfers(session, run(session, UDP_STREAM, WRITE));
        reportGoodput(session);
    }

    /** Writes so long that go-back-0 hardly ever gets one across: 16,384 packets. */
    private void reportGoodput(Session session) throws IOException {
        long limitNs = session.choose(6, 30) * 1_000_000_000L;
        Table table = new Table("", "goodput", "/ lossless");
        for (String loss : List.of("0", LOSS)) { // both ways are compiled before one is measured
            new Goodput(GOODPUT_BYTES).measure(ADDRESS, settings(loss, false), limitNs);
        }
        double lossless = goodput(session, table, "lossless", 0, "0", false, limitNs);
        goodput(session, table, "go-back-n", lossless, LOSS, false, limitNs);
        goodput(session, table, "go-back-0", lossless, LOSS, true, limitNs);
        session.out().println();
        session.out().println("roce-goodput: WRITEs of 16 MiB, two under way, MTU 1024, both ends in one process; of"
                + " the packets " + LOSS + " are lost");
        session.out().print(table);
    }

    private static Map<String, String> settings(String loss, boolean goBackZero) {
        return Map.of("jvrpc.roce.mtu", "1024", "jvrpc.roce.loss", loss, "jvrpc.roce.seed", "1", "jvrpc.roce.go-back-0",
                Boolean.toString(goBackZero));
    }

    private static double goodput(Session session, Table table, String who, double lossless, String loss,
            boolean goBackZero, long limitNs) throws IOException {
        double found = new Goodput(GOODPUT_BYTES).measure(ADDRESS, settings(loss, goBackZero), limitNs);
        session.figures().put("roce-goodput", who, "bytes_per_s", found);
        if (lossless > 0) {
            session.figures().put("roce-goodput", who, "lossless_ratio", found / lossless);
        }
        table.add(who, Format.bandwidth(found), lossless > 0 ? Format.ratio(found / lossless) : "-");
        return found;
    }

    private Map<String, Measured> run(Session session, String... names) throws IOException {
        LatencyPlan plan = session.choose(LatencyPlan.quick(2000, 5, 30, 300), LatencyPlan.full(11, 50, 700));
        return new LatencyRunner(session, plan, (pair, workload, round) -> allocated.merge(pair.contender().name(),
                pair.allocated(workload, COUNTED_CALLS), Math::min))
                .run(session.contenders(names), List.of(Workload.NULL)).get(Workload.NULL);
    }

    /** Returns what a contender is called in figures. */
    private static String who(String name) {
        return name.equals(UDP) || name.equals(UDP_STREAM) ? "udp" : name.substring(PREFIX.length());
    }

    private void report(Session session, Map<String, Measured> rows) {
        Measured udp = rows.get(UDP);
        rows.forEach((name, row) -> {
            if (name.startsWith(SEND)) {
                put(session, "roce-send", name.equals(SEND) ? "jvrpc" : "jvrpc-signalled", name, row, udp);
            } else {
                put(session, "roce-null-rpc", who(name), name, row, udp);
            }
        });
        if (udp != null) {
            session.figures().put("roce-send", "udp", udp);
        }
        session.out().println();
        session.out().println("roce-null-rpc, roce-send: a call without arguments, and a ping-pong of SENDs of 16"
                + " bytes, over roce://127.0.0.1, one in 16 signalled, as a call's are, or each;"
                + " roce-udp: a bare spinning ping-pong of datagrams of their size");
        session.out().print(LatencyTable.of(rows, UDP));
        rows.keySet().forEach(name -> session.out().println(
                name + ": " + Math.round(allocated.get(name)) + " B allocated a call, both sides"));
    }

    private void put(Session session, String bench, String who, String name, Measured row, Measured udp) {
        session.figures().put(bench, who, row);
        session.figures().put(bench, who, "bytes_per_op", allocated.get(name));
        if (udp != null && row != udp) {
            session.figures().put(bench, who, "udp_ratio", row.over(udp).median());
        }
    }

    private void reportTransfers(Session session, Map<String, Measured> rows) {
        Measured udp = rows.get(UDP_STREAM);
        Table table = new Table("", "moved", "/ udp", "allocated a MiB");
        rows.forEach((name, row) -> {
            String who = name.equals(WRITE) ? "jvrpc" : "udp";
            double bandwidth = (double) Verb.TRANSFER_BYTES * 1e9 / row.median().p50();
            session.figures().put("roce-write", who, "bytes_per_s", bandwidth);
            session.figures().put("roce-write", who, "bytes_per_op", allocated.get(name));
            String ratio = "-";
            if (udp != null && row != udp) {
                double fraction = 1 / row.over(udp).median();
                session.figures().put("roce-write", who, "udp_ratio", fraction);
                ratio = Format.ratio(fraction);
            }
            table.add(name, Format.bandwidth(bandwidth), ratio, Math.round(allocated.get(name)) + " B");
        });
        session.out().println();
        session.out().println("roce-write: WRITEs of 1 MiB, two under way, beside bare datagrams of the size of their"
                + " packets, at p50");
        session.out().print(table);
    }
}
