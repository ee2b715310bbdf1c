package org.jvrpc.benchmarks;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jvrpc.benchmarks.harness.Contender;
import org.jvrpc.benchmarks.harness.Workload;
import org.jvrpc.benchmarks.latency.LatencyPlan;
import org.jvrpc.benchmarks.latency.LatencyRunner;
import org.jvrpc.benchmarks.latency.MemoryHeld;
import org.jvrpc.benchmarks.report.Format;
import org.jvrpc.benchmarks.report.Measured;
import org.jvrpc.benchmarks.report.Table;
import picocli.CommandLine.Command;

/** A call of one client beside idle sessions of the same server, and what a session takes of memory. */
@Command(name = "sessions")
final class Sessions extends BenchCommand {

    /** Between a contender's name and how many sessions there are. */
    static final String INFIX = "-sessions-";
    /** How many there are, of which all but one are idle. */
    static final List<Integer> COUNTS = List.of(1, 1000, 4000);

    private static final int FEW = COUNTS.get(0);

    private final Table table = new Table("one caller and", "sessions", "p50", "p99", "p50 / alone", "a session holds");

    /** Returns the contender that calls beside so many sessions, itself among them. */
    static String name(String contender, int sessions) {
        return contender + INFIX + sessions;
    }

    @Override
    void measure(Session session) throws IOException {
        for (int count : COUNTS.subList(1, session.choose(2, COUNTS.size()))) {
            measure(session, count);
        }
        session.out().println();
        session.out().println("sessions: null calls of one client, closed loop, beside idle sessions of one other"
                + " process that have called once; what both sides hold, shared memory counted once");
        session.out().print(table);
    }

    private void measure(Session session, int count) throws IOException {
        LatencyPlan plan = session.choose(LatencyPlan.quick(1300, 5, 15, 180), LatencyPlan.full(15, 50, 500));
        List<String> callers = List.of(Contenders.JVRPC, Contenders.ADAPTIVE);
        List<String> names = new ArrayList<>();
        for (String caller : callers) {
            names.add(name(caller, FEW));
            names.add(name(caller, count));
        }
        List<Contender> contenders = session.contenders(names.toArray(String[]::new));
        MemoryHeld held = new MemoryHeld();
        Map<String, Measured> rows = new LatencyRunner(session, plan, held)
                .run(contenders, List.of(Workload.NULL))
                .get(Workload.NULL);
        for (String caller : callers) {
            report(session, caller, count, rows, held);
        }
    }

    private void report(Session session, String caller, int count, Map<String, Measured> rows, MemoryHeld held) {
        Measured alone = rows.get(name(caller, FEW));
        Measured beside = rows.get(name(caller, count));
        if (beside == null) {
            return;
        }
        String bench = "sessions-" + count;
        session.figures().put(bench, caller, beside);
        List<String> cells = new ArrayList<>(List.of(caller, Integer.toString(count),
                Format.duration(beside.median().p50()), Format.duration(beside.median().p99()), "-", "-"));
        if (alone != null) {
            if (count == COUNTS.get(1)) { // once
                session.figures().put("sessions-" + FEW, caller, alone);
            }
            double ratio = beside.over(alone).median();
            double bytes = (held.of(name(caller, count)) - held.of(name(caller, FEW))) / (double) (count - FEW);
            session.figures().put(bench, caller, "p50_alone_ratio", ratio);
            session.figures().put(bench, caller.equals(Contenders.JVRPC) ? "memory" : caller + "-memory",
                    "bytes_per_session", bytes);
            cells.set(4, Format.ratio(ratio));
            cells.set(5, Math.round(bytes / 1024) + " KiB");
            table.add(List.of(caller, Integer.toString(FEW), Format.duration(alone.median().p50()),
                    Format.duration(alone.median().p99()), "1", "-"));
        }
        table.add(cells);
    }
}
