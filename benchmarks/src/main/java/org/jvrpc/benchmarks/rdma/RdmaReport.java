package org.jvrpc.benchmarks.rdma;

import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jvrpc.benchmarks.Session;
import org.jvrpc.benchmarks.report.Figures;
import org.jvrpc.benchmarks.report.Format;
import org.jvrpc.benchmarks.report.Measured;
import org.jvrpc.benchmarks.report.Summary;
import org.jvrpc.benchmarks.report.Table;

/** Tables and figures of {@link RdmaRun}. */
final class RdmaReport {

    /**
     * A row.
     *
     * @param contender whose rounds
     * @param bench first part of its figures' names
     * @param who second part
     * @param reference contender that ours is divided by this one's, or null for our own rows
     */
    private record Row(String contender, String bench, String who, String reference) {
    }

    private static final String USER = "user-driver";
    private static final List<Row> ROWS = List.of(
            new Row(RdmaRun.SEND, "rdma-send", USER, null),
            new Row(RdmaRun.SEND_C, "rdma-send", "c", RdmaRun.SEND),
            new Row(RdmaRows.perftest(RdmaRun.SEND), "rdma-send", "ib_send_lat", RdmaRun.SEND),
            new Row(RdmaRun.SEND_GENERIC, "rdma-send", "generic", RdmaRun.SEND),
            new Row(RdmaRun.WRITE, "rdma-write", USER, null),
            new Row(RdmaRows.perftest(RdmaRun.WRITE), "rdma-write", "perftest", RdmaRun.WRITE),
            new Row(RdmaRun.READ, "rdma-read", USER, null),
            new Row(RdmaRows.perftest(RdmaRun.READ), "rdma-read", "perftest", RdmaRun.READ),
            new Row(RdmaRun.CAS, "rdma-cas", USER, null),
            new Row(RdmaRows.perftest(RdmaRun.CAS), "rdma-cas", "perftest", RdmaRun.CAS),
            new Row(RdmaRun.NULL_RPC, "rdma-null-rpc", "jvrpc", null),
            new Row(RdmaRun.TCP_BLOCKING, "rdma-null-rpc", "tcp-blocking", RdmaRun.NULL_RPC),
            new Row(RdmaRun.TCP_SPINNING, "rdma-null-rpc", "tcp-spinning", RdmaRun.NULL_RPC));

    private final Session session;
    private final RdmaRows rows;
    private final int rounds;
    private final PrintStream out;
    private final Figures figures;

    RdmaReport(Session session, RdmaRows rows, int rounds) {
        this.session = session;
        this.rows = rows;
        this.rounds = rounds;
        this.out = session.out();
        this.figures = session.figures();
    }

    void print() {
        times();
        counts();
    }

    private void times() {
        Table table = new Table("", "p50", "p99", "p99.9", "max", "calls", "ours / this");
        for (Row row : ROWS) {
            Measured measured = rows.times(row.contender, rounds);
            if (measured == null) {
                continue;
            }
            Summary median = measured.median();
            figures.put(row.bench, row.who, "p50_ns", median.p50());
            figures.put(row.bench, row.who, "p99_ns", median.p99());
            figures.put(row.bench, row.who, "p999_ns", median.p999());
            figures.put(row.bench, row.who, "max_ns", median.max());
            List<String> cells = new ArrayList<>(List.of(row.bench + ' ' + row.who, Format.duration(median.p50()),
                    Format.duration(median.p99()), Format.duration(median.p999()), Format.duration(median.max()),
                    Format.count(median.count())));
            cells.add(ratio(row, measured));
            table.add(cells);
        }
        out.println();
        out.println("rdma: 16 bytes (cas: 8) over " + Link.CLIENT.device() + " and " + Link.SERVER.device()
                + ", polling, whole round trips; medians of " + rounds + " rounds");
        out.println("ib_send_lat and ib_write_lat print half of a round trip: theirs is doubled; perftest's READ and");
        out.println("atomic times, and all others, are of whole ones. Every send is signalled, none inline.");
        out.print(table);
        overVerbs();
    }

    /** Returns how many times as long as this row ours takes, and notes it; for sockets the other way round. */
    private String ratio(Row row, Measured measured) {
        Measured ours = row.reference == null ? null : rows.times(row.reference, rounds);
        if (ours == null) {
            return "";
        }
        double ratio = ours.over(measured).median();
        if (row.reference.equals(RdmaRun.NULL_RPC)) {
            figures.put(row.bench, row.who, "jvrpc_ratio", measured.over(ours).median());
        } else {
            figures.put(row.bench, USER, row.who + "_ratio", ratio);
        }
        return Format.ratio(ratio);
    }

    private void overVerbs() {
        Measured rpc = rows.times(RdmaRun.NULL_RPC, rounds);
        Measured verbs = rows.times(RdmaRun.SEND, rounds);
        if (rpc != null && verbs != null) {
            figures.put("rdma-null-rpc", "jvrpc", "verbs_ratio", rpc.over(verbs).median());
            out.println("a call takes " + Format.ratio(rpc.over(verbs).median()) + " of the SEND ping-pong in Java");
        }
        for (String peer : List.of(RdmaRun.TCP_BLOCKING, RdmaRun.TCP_SPINNING)) {
            Measured tcp = rows.times(peer, rounds);
            if (rpc != null && tcp != null) {
                out.println(peer.substring("rdma-".length()) + " takes " + Format.ratio(tcp.over(rpc).median())
                        + " of a call over rdma://");
            }
        }
    }

    private void counts() {
        Table table = new Table("", "allocated", "system calls", "by name");
        for (Row row : ROWS) {
            Double bytes = rows.allocated(row.contender);
            if (bytes == null) {
                continue;
            }
            figures.put(row.bench, row.who, "bytes_per_op", bytes);
            Map<String, Double> calls = rows.systemCalls(row.contender);
            double sum = 0;
            StringBuilder names = new StringBuilder();
            if (calls != null) {
                for (Map.Entry<String, Double> entry : calls.entrySet()) {
                    sum += entry.getValue();
                    names.append(names.length() == 0 ? "" : ", ").append(entry.getKey()).append(' ')
                            .append(String.format(Locale.ROOT, "%.3f", entry.getValue()));
                }
                figures.put(row.bench, row.who, "system_calls_per_op", sum);
            }
            table.add(row.bench + ' ' + row.who, String.format(Locale.ROOT, "%.3f B", bytes),
                    calls == null ? "-" : String.format(Locale.ROOT, "%.3f", sum), names.toString());
        }
        out.println();
        out.println("rdma: bytes allocated a call, server and client together, and system calls of the client a call");
        out.println("(strace -c -f; in a ping-pong each end makes as many; the harness itself makes two or three)");
        out.print(table);
    }
}
