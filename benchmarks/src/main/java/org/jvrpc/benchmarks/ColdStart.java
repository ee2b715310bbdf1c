package org.jvrpc.benchmarks;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jvrpc.benchmarks.harness.AotCaches;
import org.jvrpc.benchmarks.harness.Contender;
import org.jvrpc.benchmarks.harness.ContenderException;
import org.jvrpc.benchmarks.harness.Pair;
import org.jvrpc.benchmarks.harness.Run;
import org.jvrpc.benchmarks.harness.Slices;
import org.jvrpc.benchmarks.harness.Workload;
import org.jvrpc.benchmarks.report.Format;
import org.jvrpc.benchmarks.report.Quartiles;
import org.jvrpc.benchmarks.report.Summary;
import org.jvrpc.benchmarks.report.Table;
import picocli.CommandLine.Command;

/** How long it takes from the start of two processes until calls are as fast as they will be. */
@Command(name = "warmup")
final class ColdStart extends BenchCommand {

    private static final String NAME = "warmup";
    /** How near to the steady p50 is steady. */
    private static final double NEAR = 1.5;
    /** The steady p50 is that of the last of the time. */
    private static final Duration STEADY = Duration.ofSeconds(2);
    private static final int SECONDS_SHOWN = 6;
    private static final Duration REHEARSAL = Duration.ofSeconds(5);

    private final Map<String, List<Slices>> rows = new LinkedHashMap<>();

    @Override
    void measure(Session session) throws IOException {
        List<Contender> contenders = session.contenders(Contenders.JVRPC, Contenders.ADAPTIVE, Contenders.AOT,
                Contenders.AERON, "tcp-blocking", "grpc");
        try (Run run = Run.open()) {
            measure(session, withCaches(session, run, contenders));
        }
    }

    private void measure(Session session, List<Contender> contenders) throws IOException {
        Duration age = session.choose(Duration.ofSeconds(8), Duration.ofSeconds(15));
        int rounds = session.choose(1, 5);
        for (int i = 1; i <= rounds; i++) {
            session.progress("round " + i + " of " + rounds);
            for (Contender contender : contenders) {
                measure(session, contender, age);
            }
        }
        rows.values().removeIf(row -> row.size() < rounds);
        report(session, age, rounds);
    }

    /** Makes the caches of the contender that has them, or leaves it out and says why. */
    private static List<Contender> withCaches(Session session, Run run, List<Contender> contenders) {
        List<Contender> ready = new ArrayList<>();
        for (Contender contender : contenders) {
            if (!contender.name().equals(Contenders.AOT)) {
                ready.add(contender);
            } else if (!AotCaches.arePossible()) {
                session.out().println(NAME + ": " + contender.name() + " is left out, AOT caches with profiles need"
                        + " JDK " + AotCaches.FIRST_JDK + ", this is " + Runtime.version().feature());
            } else {
                session.progress("rehearsing " + contender.name());
                try {
                    ready.add(AotCaches.make(run, contender, run.directory(), REHEARSAL));
                } catch (ContenderException e) {
                    session.fail(e.getMessage());
                }
            }
        }
        return ready;
    }

    /** Both processes are new, and alone: those of other contenders have ended. */
    private void measure(Session session, Contender contender, Duration age) throws IOException {
        try (Run run = Run.open(); Pair pair = Pair.start(run, contender, 1)) {
            rows.computeIfAbsent(contender.name(), name -> new ArrayList<>()).add(pair.slices(Workload.NULL, age));
            session.noteOthers(run.othersCpuFraction());
        } catch (ContenderException e) {
            session.fail(e.getMessage());
        }
    }

    private void report(Session session, Duration age, int rounds) {
        List<String> headings = new ArrayList<>(List.of("p50 in second"));
        for (int second = 1; second <= SECONDS_SHOWN; second++) {
            headings.add(Integer.toString(second));
        }
        headings.addAll(List.of("at the end", "steady after", "quartiles"));
        Table table = new Table(headings.toArray(String[]::new));
        rows.forEach((name, row) -> table.add(cells(session, name, row, age)));
        session.out().println();
        session.out().println("warmup: from the start of the client's process, its server's just before; steady: "
                + NEAR + " times the p50 of the last " + STEADY.toSeconds() + " s, for three slices of "
                + Slices.SLICE_MS + " ms in a row; medians of " + rounds + " rounds");
        session.out().print(table);
    }

    private static List<String> cells(Session session, String name, List<Slices> row, Duration age) {
        List<String> cells = new ArrayList<>(List.of(name));
        for (int second = 1; second <= SECONDS_SHOWN; second++) {
            long toMs = second * 1000L;
            double ns = Summary.median(row.stream().mapToDouble(slices -> slices.p50(toMs - 1000, toMs)).toArray());
            session.figures().put(NAME, name, "second" + second + "_p50_ns", ns);
            cells.add(ns == 0 ? "-" : Format.duration(ns));
        }
        long endMs = age.toMillis();
        double[] ends = row.stream().mapToDouble(slices -> slices.p50(endMs - STEADY.toMillis(), endMs)).toArray();
        double steadyNs = Summary.median(ends);
        Quartiles steadyMs = Quartiles.of(row.stream().mapToDouble(slices -> steadyMs(slices, endMs)).toArray());
        session.figures().put(NAME, name, "end_p50_ns", steadyNs);
        session.figures().put(NAME, name, "steady_ms", steadyMs.median());
        cells.add(Format.duration(steadyNs));
        cells.add(Format.duration(steadyMs.median() * 1e6));
        cells.add(Format.range(steadyMs.first() * 1e6, steadyMs.third() * 1e6));
        return cells;
    }

    /** Returns when it was steady, the end when it never was. */
    private static double steadyMs(Slices slices, long endMs) {
        long steadyMs = slices.steadyMs(slices.p50(endMs - STEADY.toMillis(), endMs), NEAR);
        return steadyMs < 0 ? endMs : steadyMs;
    }
}
