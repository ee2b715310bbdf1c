package org.jvrpc.benchmarks;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.jvrpc.benchmarks.harness.Contender;
import org.jvrpc.benchmarks.harness.Workload;
import org.jvrpc.benchmarks.latency.LatencyPlan;
import org.jvrpc.benchmarks.latency.LatencyRunner;
import org.jvrpc.benchmarks.report.Format;
import org.jvrpc.benchmarks.report.Measured;
import org.jvrpc.benchmarks.report.Table;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Bytes there and the same bytes back, for one size or for all. */
@Command(name = "echo")
final class Echo extends BenchCommand {

    static final List<Integer> SIZES = List.of(8, 32, 64, 256, 1024, 4096, 65536);

    @Spec
    private CommandSpec command;

    private int size;

    @Option(names = "--size", paramLabel = "BYTES")
    void setSize(int bytes) {
        if (!SIZES.contains(bytes)) {
            throw new ParameterException(command.commandLine(),
                    "unknown --size " + bytes + ", sizes are " + SIZES);
        }
        size = bytes;
    }

    @Override
    void measure(Session session) throws IOException {
        List<Workload> workloads = (size == 0 ? SIZES : List.of(size)).stream().map(Workload::echo).toList();
        LatencyPlan plan = size == 0
                ? session.choose(LatencyPlan.quick(1000, 3, 5, 35), LatencyPlan.full(5, 20, 280))
                : session.choose(LatencyPlan.quick(1000, 5, 15, 150), LatencyPlan.full(15, 50, 500));
        List<Contender> contenders = session.contenders(Contenders.LIMIT, Contenders.COPY, "copy-cross",
                Contenders.COPY_ECHO, Contenders.JVRPC, "jvrpc-buffer", Contenders.ADAPTIVE, "jvrpc-buffer-adaptive",
                Contenders.AERON, "tcp-blocking", "tcp-spinning", "uds-blocking", "uds-spinning", "grpc");
        Map<Workload, Map<String, Measured>> measured = new LatencyRunner(session, plan).run(contenders, workloads);
        measured.forEach((workload, byName) -> report(session, plan, workload, byName));
    }

    private static void report(Session session, LatencyPlan plan, Workload workload, Map<String, Measured> rows) {
        String bench = "echo-" + workload.size();
        NullRpc.report(session, bench, workload.size() + " bytes there and back; " + plan.rounds()
                + " rounds", rows);
        if (Contenders.isLarge(workload)) {
            reportBandwidth(session, bench, workload.size(), rows);
        }
    }

    private static void reportBandwidth(Session session, String bench, int size, Map<String, Measured> rows) {
        Measured copy = rows.get(Contenders.COPY);
        Measured bare = rows.get(Contenders.COPY_ECHO);
        Table table = new Table("", "moved", "/ copy", "time / copy-echo");
        rows.forEach((name, row) -> {
            if (name.equals(Contenders.LIMIT)) {
                return;
            }
            // A call moves its payload twice, there and back; a copy moves it once.
            int moves = name.startsWith(Contenders.COPY) && row != bare ? 1 : 2;
            double bandwidth = (double) moves * size * 1e9 / row.median().p50();
            session.figures().put(bench, name, "bytes_per_s", bandwidth);
            String ofCopy = "-";
            if (copy != null) {
                double fraction = moves / row.over(copy).median();
                session.figures().put(bench, name, "copy_fraction", fraction);
                ofCopy = Format.ratio(fraction);
            }
            String ofBare = "-";
            if (bare != null && moves == 2) {
                session.figures().put(bench, name, "copy_echo_ratio", row.over(bare).median());
                ofBare = Format.ratio(row.over(bare).median());
            }
            table.add(name, Format.bandwidth(bandwidth), ofCopy, ofBare);
        });
        session.out().println();
        session.out().println(bench + ": payload moved (both ways) against one core's copy bandwidth, at p50");
        session.out().print(table);
    }
}
