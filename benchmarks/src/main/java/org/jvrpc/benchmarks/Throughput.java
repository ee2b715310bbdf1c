package org.jvrpc.benchmarks;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jvrpc.benchmarks.harness.Contender;
import org.jvrpc.benchmarks.harness.ContenderException;
import org.jvrpc.benchmarks.harness.Contest;
import org.jvrpc.benchmarks.harness.Pair;
import org.jvrpc.benchmarks.harness.Run;
import org.jvrpc.benchmarks.report.Format;
import org.jvrpc.benchmarks.report.Summary;
import org.jvrpc.benchmarks.report.Table;
import picocli.CommandLine.Command;

/** Asynchronous calls, 8 bytes there and back, a fixed number of them under way. */
@Command(name = "throughput")
final class Throughput extends BenchCommand {

    private static final int CLIENTS = 2;
    private static final Duration QUICK_WARM_UP = Duration.ofMillis(500);

    /**
     * A load.
     *
     * @param name of the benchmark in figures
     * @param clients processes
     * @param threads of each client
     * @param window calls under way of each thread
     */
    private record Load(String name, int clients, int threads, int window) {
    }

    private static final List<Load> LOADS = List.of(
            new Load("throughput-w1", 1, 1, 1),
            new Load("throughput-w8", 1, 1, 8),
            new Load("throughput-w32", 1, 1, 32),
            new Load("throughput-w128", 1, 1, 128),
            new Load("throughput-w32-t2", 1, 2, 32),
            new Load("throughput-w32-c2", CLIENTS, 1, 32));

    private final Map<Load, Map<String, List<Double>>> rates = new LinkedHashMap<>();

    @Override
    void measure(Session session) throws IOException {
        List<Contender> contenders = session.contenders(Contenders.JVRPC, Contenders.ADAPTIVE, Contenders.CALLBACK,
                Contenders.CALLBACK + "-adaptive", Contenders.AERON,
                "tcp-blocking", "tcp-spinning", "grpc");
        Duration duration = session.choose(Duration.ofMillis(150), Duration.ofMillis(500));
        int rounds = session.choose(3, 5);
        LOADS.forEach(load -> rates.put(load, new LinkedHashMap<>()));
        try (Run run = Run.open(); Contest contest = session.contest(run, contenders, CLIENTS)) {
            session.progress("warming up");
            for (Load load : LOADS) {
                contest.round(pair -> warmUp(session, pair, load));
            }
            for (int i = 1; i <= rounds && !contest.isEmpty(); i++) {
                session.progress("round " + i + " of " + rounds);
                for (Load load : LOADS) {
                    contest.round(pair -> rates.get(load)
                            .computeIfAbsent(pair.contender().name(), name -> new ArrayList<>())
                            .add(pipeline(pair, load, duration)));
                }
            }
            session.noteOthers(run.othersCpuFraction());
        }
        report(session, contenders, rounds);
    }

    private static void warmUp(Session session, Pair pair, Load load) throws ContenderException {
        if (offers(pair, load)) {
            session.warmUp(pair, load.name(), QUICK_WARM_UP,
                    length -> pair.window(load.clients(), load.threads(), load.window(), length));
        }
    }

    /** Returns calls a second, NaN for a load that is not offered. */
    private static double pipeline(Pair pair, Load load, Duration duration) throws ContenderException {
        return offers(pair, load)
                ? pair.pipeline(load.clients(), load.threads(), load.window(), duration)
                : Double.NaN;
    }

    /** Returns false for a load with threads where these cannot share a client. */
    private static boolean offers(Pair pair, Load load) {
        return load.threads() == 1 || pair.contender().sharesClient();
    }

    private void report(Session session, List<Contender> contenders, int rounds) {
        List<String> headings = new ArrayList<>(List.of(""));
        LOADS.forEach(load -> headings.add(load.name().substring("throughput-".length())));
        Table table = new Table(headings.toArray(String[]::new));
        for (Contender contender : contenders) {
            List<String> cells = new ArrayList<>(List.of(contender.name()));
            LOADS.forEach(load -> cells.add(cell(session, contender, load, rounds)));
            table.add(cells);
        }
        session.out().println();
        session.out().println("throughput: calls a second, 8 bytes there and back, medians of " + rounds
                + " rounds; w = calls under way for each thread, t = threads of one client, c = client processes");
        session.out().print(table);
    }

    private String cell(Session session, Contender contender, Load load, int rounds) {
        List<Double> values = rates.get(load).getOrDefault(contender.name(), List.of());
        double rate = values.size() < rounds ? Double.NaN
                : Summary.median(values.stream().mapToDouble(Double::doubleValue).toArray());
        if (Double.isNaN(rate)) {
            return "-";
        }
        session.figures().put(load.name(), contender.name(), "ops_per_s", rate);
        return Format.rate(rate);
    }
}
