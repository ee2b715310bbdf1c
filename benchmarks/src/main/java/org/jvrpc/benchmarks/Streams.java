package org.jvrpc.benchmarks;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.jvrpc.benchmarks.harness.Child;
import org.jvrpc.benchmarks.harness.ContenderException;
import org.jvrpc.benchmarks.harness.Contest;
import org.jvrpc.benchmarks.harness.Pair;
import org.jvrpc.benchmarks.harness.Run;
import org.jvrpc.benchmarks.harness.WarmUp;
import org.jvrpc.benchmarks.harness.Workload;
import org.jvrpc.benchmarks.report.Format;
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
    private static final Workload ECHO = Workload.echo(StreamKind.BUFFER_BYTES);
    private static final Duration COPY_WARM_UP = Duration.ofSeconds(20);
    private static final Duration COPY_SETTLE = Duration.ofMillis(20);
    private static final List<String> AERON_FLAGS = List.of("--add-opens", "java.base/jdk.internal.misc=ALL-UNNAMED");

    private final Map<Row, List<Double>> rates = new EnumMap<>(Row.class);
    private final List<Double> copyRates = new ArrayList<>();

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
        int rounds = session.choose(7, 15);
        Duration duration = session.choose(Duration.ofMillis(300), Duration.ofSeconds(1));
        try (Run run = Run.open(); Contest copies = session.contest(run, session.contenders(Contenders.COPY_ECHO), 1)) {
            Map<Row, Ends> ends = new EnumMap<>(Row.class);
            for (Row row : Row.values()) {
                session.progress(row.bench + " " + row.who + ": warms up");
                Ends made = start(run, row);
                made.warm(duration);
                ends.put(row, made);
            }
            copies.round(pair -> session.warmUp(pair, ECHO.toString(), WarmUp.within(COPY_WARM_UP),
                    length -> pair.window(ECHO, length)));
            for (int i = 1; i <= rounds; i++) {
                session.progress("round " + i + " of " + rounds);
                for (Row row : Row.values()) {
                    rates.computeIfAbsent(row, key -> new ArrayList<>()).add(ends.get(row).rate(duration));
                    if (row == Row.BUFFERS) {
                        copies.round(pair -> copyRates.add(copies(pair, duration)));
                    }
                }
            }
            session.noteOthers(run.othersCpuFraction());
        } catch (ContenderException e) {
            throw new IOException(e.getMessage(), e);
        }
        report(session, rounds);
    }

    /** Returns how many buffers a second go one way by the bare echo. */
    private static double copies(Pair pair, Duration duration) throws ContenderException {
        return 2e9 / Summary.of(pair.latency(ECHO, COPY_SETTLE, duration, Long.MAX_VALUE)).p50();
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

    private void report(Session session, int rounds) {
        Table table = new Table("", "elements a second", "bytes a second");
        rates.forEach((row, values) -> {
            double rate = median(values);
            session.figures().put(row.bench, row.who, "ops_per_s", rate);
            table.add(row.bench + " " + row.who, Format.rate(rate), Format.rate(rate * row.bytes));
        });
        double aeron = ratio(rates.get(Row.LONGS), rates.get(Row.AERON));
        double copy = ratio(rates.get(Row.BUFFERS), copyRates);
        double channel = ratio(rates.get(Row.TCP_BUFFERS), rates.get(Row.CHANNEL));
        session.figures().put(Row.LONGS.bench, "jvrpc", "aeron_ratio", aeron);
        if (!Double.isNaN(copy)) {
            session.figures().put(Row.BUFFERS.bench, "copy", "ops_per_s", median(copyRates));
            session.figures().put(Row.BUFFERS.bench, "jvrpc", "copy_fraction", copy);
        }
        session.figures().put(Row.TCP_BUFFERS.bench, "jvrpc", "bare_ratio", channel);
        session.out().println();
        session.out().println("stream: elements one way between two processes, written and read by threads that wait; "
                + rounds + " rounds in turns, medians of the rates and of the rounds' ratios");
        session.out().print(table);
        session.out().println("stream-shm / aeron-ipc: " + Format.ratio(aeron)
                + ", stream-shm-64k / the bare copy one way: " + Format.ratio(copy)
                + ", stream-tcp-64k / bare channel: " + Format.ratio(channel));
    }

    private static double median(List<Double> values) {
        return Summary.median(values.stream().mapToDouble(Double::doubleValue).toArray());
    }

    /** Returns the median over the rounds; NaN where a peer missed one. */
    private static double ratio(List<Double> ours, List<Double> peers) {
        return ours.size() != peers.size() ? Double.NaN : Summary.median(
                IntStream.range(0, ours.size()).mapToDouble(i -> ours.get(i) / peers.get(i)).toArray());
    }
}
