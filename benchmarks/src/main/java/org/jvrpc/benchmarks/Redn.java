package org.jvrpc.benchmarks;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.HdrHistogram.Histogram;
import org.jvrpc.benchmarks.harness.Contender;
import org.jvrpc.benchmarks.harness.ContenderException;
import org.jvrpc.benchmarks.harness.Contest;
import org.jvrpc.benchmarks.harness.Pair;
import org.jvrpc.benchmarks.harness.Run;
import org.jvrpc.benchmarks.harness.Workload;
import org.jvrpc.benchmarks.latency.LatencyRunner;
import org.jvrpc.benchmarks.redn.LookupWrs;
import org.jvrpc.benchmarks.report.Format;
import org.jvrpc.benchmarks.report.LatencyTable;
import org.jvrpc.benchmarks.report.Measured;
import org.jvrpc.benchmarks.report.Summary;
import org.jvrpc.offload.lookup.LookupKind;
import picocli.CommandLine.Command;

/** Programs of WRs: constructs a second, and lookups by programs, with the bare limit beside them. */
@Command(name = "redn")
final class Redn extends BenchCommand {

    static final String IF = "redn-if";
    static final String GET = "redn-get";
    static final String GET_PARALLEL = "redn-get-parallel";
    static final String WALK = "redn-walk";
    static final String WALK_BREAK = "redn-walk-break";

    private static final Workload ANYWHERE = Workload.lookup(0);
    private static final Workload FIRST = Workload.lookup(1);
    private static final Workload SECOND = Workload.lookup(2);
    private static final Duration QUICK_WARM_UP = Duration.ofMillis(1500);

    private final Map<String, Measured> rows = new LinkedHashMap<>();
    private final Map<String, List<Double>> values = new LinkedHashMap<>();
    private Duration round;
    private Duration settle;

    @Override
    void measure(Session session) throws Exception {
        List<Contender> contenders = session.contenders(
                Contenders.LIMIT, IF, GET, GET_PARALLEL, WALK, WALK_BREAK);
        round = session.choose(Duration.ofMillis(250), Duration.ofMillis(600));
        settle = session.choose(Duration.ofMillis(20), Duration.ofMillis(50));
        int rounds = session.choose(5, 11);
        try (Run run = Run.open(); Contest contest = session.contest(run, contenders, 1)) {
            session.progress("warming up");
            contest.round(pair -> warmUp(session, pair));
            for (int i = 1; i <= rounds && !contest.isEmpty(); i++) {
                session.progress("round " + i + " of " + rounds);
                contest.round(pair -> measure(contest, pair));
            }
            session.noteOthers(run.othersCpuFraction());
        }
        rows.values().removeIf(row -> row.size() < rounds);
        values.values().removeIf(list -> list.size() < rounds);
        report(session, rounds);
    }

    private static void warmUp(Session session, Pair pair) throws ContenderException {
        switch (pair.contender().name()) {
            case IF -> rates(session, pair, QUICK_WARM_UP);
            case GET, GET_PARALLEL -> {
                Duration part = QUICK_WARM_UP.dividedBy(3);
                times(session, pair, FIRST, part);
                times(session, pair, SECOND, part);
                rates(session, pair, part);
            }
            default -> times(session, pair, ANYWHERE, QUICK_WARM_UP);
        }
    }

    private static void times(Session session, Pair pair, Workload workload, Duration quick)
            throws ContenderException {
        session.warmUp(pair, workload.toString(), quick, length -> pair.window(workload, length));
    }

    private static void rates(Session session, Pair pair, Duration quick) throws ContenderException {
        session.warmUp(pair, "one after the other", quick, length -> pair.window(1, 1, 1, length));
    }

    private void measure(Contest contest, Pair pair) throws ContenderException {
        long limitNs = LatencyRunner.limitBeside(contest, pair);
        switch (pair.contender().name()) {
            case Contenders.LIMIT -> add("limit", pair, ANYWHERE, limitNs);
            case IF -> value("if", pair.pipeline(1, 1, 1, round));
            case GET -> {
                add("hash get", pair, ANYWHERE, limitNs);
                add("sequential, first bucket", pair, FIRST, limitNs);
                add("sequential, second bucket", pair, SECOND, limitNs);
                value("get", pair.pipeline(1, 1, 1, round));
            }
            case GET_PARALLEL -> {
                add("parallel, first bucket", pair, FIRST, limitNs);
                add("parallel, second bucket", pair, SECOND, limitNs);
            }
            case WALK -> value("nobreak", add("list walk", pair, ANYWHERE, limitNs));
            default -> value("break", add("list walk, break", pair, ANYWHERE, limitNs));
        }
    }

    /** Adds a round to a row, and returns its mean. */
    private double add(String row, Pair pair, Workload workload, long limitNs) throws ContenderException {
        Histogram times = pair.latency(workload, settle, round, Long.MAX_VALUE);
        Summary summary = Summary.of(times);
        Measured measured = rows.computeIfAbsent(row, name -> new Measured());
        if (limitNs == 0) {
            measured.add(summary);
        } else {
            measured.add(summary, limitNs);
        }
        return times.getMean();
    }

    private void value(String name, double value) {
        values.computeIfAbsent(name, key -> new ArrayList<>()).add(value);
    }

    private void report(Session session, int rounds) throws Exception {
        p50(session, "limit", "redn", Contenders.LIMIT);
        p50(session, "hash get", "redn-hash-get-64", Contenders.JVRPC);
        p50(session, "sequential, first bucket", "redn-hash-get-sequential-64", "first");
        p50(session, "sequential, second bucket", "redn-hash-get-sequential-64", "second");
        p50(session, "parallel, first bucket", "redn-hash-get-parallel-64", "first");
        p50(session, "parallel, second bucket", "redn-hash-get-parallel-64", "second");
        session.out().println();
        session.out().println("redn: lookups by programs in another process's memory, 48-bit keys, 64-byte values; "
                + "medians of " + rounds + " rounds");
        session.out().print(LatencyTable.of(rows, "hash get"));
        rate(session, "if", "redn-if", "if constructs, every other one true");
        rate(session, "get", "redn-hash-get-64", "hash gets, one client");
        double walk = walk(session, "nobreak", LookupKind.LIST_WALK);
        double withBreak = walk(session, "break", LookupKind.LIST_WALK_BREAK);
        if (walk > 0 && withBreak > 0) {
            session.out().println("a break takes " + Format.ratio(withBreak / walk) + " of the WRs");
        }
    }

    private void p50(Session session, String row, String bench, String who) {
        Measured measured = rows.get(row);
        if (measured != null) {
            session.figures().put(bench, who, "p50_ns", measured.median().p50());
            if (measured.hasLimit()) {
                session.figures().put(bench, who, "p50_limit_ratio", measured.overLimit().median());
            }
        }
    }

    private double median(String name) {
        return Summary.median(values.get(name).stream().mapToDouble(Double::doubleValue).toArray());
    }

    private void rate(Session session, String name, String bench, String what) {
        if (values.containsKey(name)) {
            session.figures().put(bench, Contenders.JVRPC, "ops_per_s", median(name));
            session.out().println(what + ": " + Format.rate(median(name)));
        }
    }

    /** Notes mean time and WRs of a walk, and returns the WRs; 0 when it was not measured. */
    private double walk(Session session, String who, LookupKind kind) throws Exception {
        if (!values.containsKey(who)) {
            return 0;
        }
        double wrs = LookupWrs.mean(kind);
        session.figures().put("redn-list-walk-8", who, "mean_ns", median(who));
        session.figures().put("redn-list-walk-8", who, "wrs_per_op", wrs);
        session.out().println("list walk of 8 nodes, key in any of them, " + who + ": mean "
                + Format.duration(median(who)) + ", " + Format.ratio(wrs) + " WRs");
        return wrs;
    }
}
