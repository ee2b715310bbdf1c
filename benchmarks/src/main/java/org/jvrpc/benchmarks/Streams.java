package org.jvrpc.benchmarks;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.jvrpc.benchmarks.harness.Child;
import org.jvrpc.benchmarks.harness.ContenderException;
import org.jvrpc.benchmarks.harness.Run;
import org.jvrpc.benchmarks.harness.Workload;
import org.jvrpc.benchmarks.latency.LatencyPlan;
import org.jvrpc.benchmarks.latency.LatencyRunner;
import org.jvrpc.benchmarks.report.Format;
import org.jvrpc.benchmarks.report.Measured;
import org.jvrpc.benchmarks.report.Summary;
import org.jvrpc.benchmarks.report.Table;
import org.jvrpc.benchmarks.stream.StreamEnd;
import org.jvrpc.benchmarks.stream.StreamKind;
import picocli.CommandLine.Command;

/** One-way streams between two processes, beside Aeron, the bare copy and a bare channel. */
@Command(name = "stream")
final class Streams extends BenchCommand {

    private static final String TCP = "tcp://127.0.0.1:0";
    private static final Duration ANSWER = Duration.ofSeconds(60);
    private static final int WARM_TURNS = 3;
    private static final int MOST_WARM_TURNS = 8 * WARM_TURNS;
    /** More than this times as much as before is not steady yet. */
    private static final double STEADY = 1.05;
    private static final List<String> AERON_FLAGS = List.of("--add-opens", "java.base/jdk.internal.misc=ALL-UNNAMED");

    /** What is measured under which name. */
    private enum Row {
        LONGS("stream-shm", "jvrpc", StreamKind.JVRPC_LONGS, 8),
        AERON("stream-shm", "aeron-ipc", StreamKind.AERON_LONGS, 8),
        BUFFERS("stream-shm-64k", "jvrpc", StreamKind.JVRPC_BUFFERS, StreamKind.BUFFER_BYTES),
        TCP_BUFFERS("stream-tcp-64k", "jvrpc", StreamKind.JVRPC_BUFFERS, StreamKind.BUFFER_BYTES),
        CHANNEL("stream-tcp-64k", "bare", StreamKind.CHANNEL_BUFFERS, StreamKind.BUFFER_BYTES);

        private final String bench;
        private final String who;
        private final StreamKind kind;
        private final int bytes;

        Row(String bench, String who, StreamKind kind, int bytes) {
            this.bench = bench;
            this.who = who;
            this.kind = kind;
            this.bytes = bytes;
        }
    }

    /** The two processes of a row. */
    private record Ends(Child receiver, Child sender) {

        /** Runs until compilers have done their work: until the last few turns bring no more than those before them. */
        void warm(Duration turn) throws ContenderException {
            double before = 0;
            double last = 0;
            for (int i = 1; i <= MOST_WARM_TURNS; i++) {
                last = Math.max(last, rate(turn));
                if (i % WARM_TURNS == 0) {
                    if (last <= before * STEADY && i > WARM_TURNS) {
                        return;
                    }
                    before = Math.max(before, last);
                    last = 0;
                }
            }
        }

        double rate(Duration duration) throws ContenderException {
            receiver.resume();
            sender.resume();
            try {
                return Double.parseDouble(sender.ask(Long.toString(duration.toMillis()), ANSWER));
            } finally {
                sender.stop();
                receiver.stop();
            }
        }
    }

    @Override
    void measure(Session session) throws IOException {
        Map<Row, List<Double>> rates = new EnumMap<>(Row.class);
        int rounds = session.choose(3, 7);
        Duration duration = session.choose(Duration.ofMillis(400), Duration.ofSeconds(2));
        try (Run run = Run.open()) {
            Map<Row, Ends> ends = new EnumMap<>(Row.class);
            for (Row row : Row.values()) {
                session.progress(row.bench + " " + row.who + ": warms up");
                Ends made = start(run, row);
                made.warm(duration);
                ends.put(row, made);
            }
            for (int i = 1; i <= rounds; i++) {
                session.progress("round " + i + " of " + rounds);
                for (Row row : Row.values()) {
                    rates.computeIfAbsent(row, key -> new ArrayList<>()).add(ends.get(row).rate(duration));
                }
            }
        } catch (ContenderException e) {
            throw new IOException(e.getMessage(), e);
        }
        report(session, rates, copyNs(session));
    }

    private static Ends start(Run run, Row row) throws ContenderException {
        List<String> flags = row.kind == StreamKind.AERON_LONGS ? AERON_FLAGS : List.of();
        String place = row.kind == StreamKind.AERON_LONGS ? run.directory().resolve("aeron-stream").toString()
                : row == Row.TCP_BUFFERS ? TCP : "shm://bench-" + row + "-" + ProcessHandle.current().pid();
        Child receiver = run.startMain(row + " receiver", List.of(), flags, StreamEnd.class,
                List.of("receive", row.kind.name(), place));
        Child sender = run.startMain(row + " sender", List.of(), flags, StreamEnd.class,
                List.of("send", row.kind.name(), receiver.greeting()));
        return new Ends(receiver, sender);
    }

    /** Returns how long a buffer takes one way by the bare echo. */
    private static double copyNs(Session session) throws IOException {
        Workload echo = Workload.echo(StreamKind.BUFFER_BYTES);
        LatencyPlan plan = session.choose(LatencyPlan.quick(1000, 3, 5, 35), LatencyPlan.full(5, 20, 280));
        Measured copy = new LatencyRunner(session, plan).run(session.contenders(Contenders.COPY_ECHO), List.of(echo))
                .get(echo).get(Contenders.COPY_ECHO);
        return copy == null ? Double.NaN : copy.median().p50() / 2.0;
    }

    private static void report(Session session, Map<Row, List<Double>> rates, double copyNs) {
        Map<Row, Double> medians = new EnumMap<>(Row.class);
        rates.forEach((row, values) -> medians.put(row,
                Summary.median(values.stream().mapToDouble(Double::doubleValue).toArray())));
        Table table = new Table("", "elements a second", "bytes a second");
        medians.forEach((row, rate) -> {
            session.figures().put(row.bench, row.who, "ops_per_s", rate);
            table.add(row.bench + " " + row.who, Format.rate(rate), Format.rate(rate * row.bytes));
        });
        double aeron = medians.get(Row.LONGS) / medians.get(Row.AERON);
        double copy = medians.get(Row.BUFFERS) * copyNs / 1e9;
        double channel = medians.get(Row.TCP_BUFFERS) / medians.get(Row.CHANNEL);
        session.figures().put(Row.LONGS.bench, "jvrpc", "aeron_ratio", aeron);
        if (!Double.isNaN(copy)) {
            session.figures().put(Row.BUFFERS.bench, "jvrpc", "copy_fraction", copy);
        }
        session.figures().put(Row.TCP_BUFFERS.bench, "jvrpc", "bare_ratio", channel);
        session.out().println();
        session.out().println("stream: elements one way between two processes, written and read by threads that wait");
        session.out().print(table);
        session.out().println("stream-shm / aeron-ipc: " + Format.ratio(aeron)
                + ", stream-shm-64k / the bare copy one way: " + Format.ratio(copy)
                + ", stream-tcp-64k / bare channel: " + Format.ratio(channel));
    }
}
