package org.jvrpc.benchmarks.latency;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jvrpc.benchmarks.Contenders;
import org.jvrpc.benchmarks.Session;
import org.jvrpc.benchmarks.harness.ContenderException;
import org.jvrpc.benchmarks.harness.Pair;
import org.jvrpc.benchmarks.harness.Workload;
import org.jvrpc.benchmarks.report.Format;
import org.jvrpc.benchmarks.report.Quartiles;
import org.jvrpc.benchmarks.report.Summary;
import org.jvrpc.benchmarks.report.Table;

/** The same calls timed a batch at a time: neither side of a ratio has the clock's own cost in it. */
public final class Batches implements Beside {

    private static final int CALLS = 64;
    private static final List<String> DIVISORS = List.of(Contenders.LIMIT, Contenders.AERON);

    private final Duration length;
    private final Map<String, List<Double>> rows = new LinkedHashMap<>();

    /** Batches for a part of each turn. */
    public Batches(Duration length) {
        this.length = length;
    }

    @Override
    public void measure(Pair pair, Workload workload, Summary round) throws ContenderException {
        double ns = pair.batches(workload, length, CALLS).getValueAtPercentile(50) / (double) CALLS;
        rows.computeIfAbsent(pair.contender().name(), name -> new ArrayList<>()).add(ns);
    }

    /** Notes and prints the rows of those that took part in all rounds. */
    public void report(Session session, String bench, int rounds) {
        rows.values().removeIf(row -> row.size() < rounds);
        List<String> divisors = DIVISORS.stream().filter(rows::containsKey).toList();
        List<String> headings = new ArrayList<>(List.of("in batches of " + CALLS, "a call", "quartiles"));
        divisors.forEach(divisor -> headings.add("/ " + divisor));
        Table table = new Table(headings.toArray(String[]::new));
        rows.forEach((name, row) -> {
            Quartiles ns = quartiles(row);
            session.figures().put(bench, name, "batch_ns", ns.median());
            List<String> cells = new ArrayList<>(List.of(name, Format.duration(ns.median()),
                    Format.range(ns.first(), ns.third())));
            for (String divisor : divisors) {
                double ratio = over(row, rows.get(divisor));
                session.figures().put(bench, name, "batch_" + divisor.replace('-', '_') + "_ratio", ratio);
                cells.add(Format.ratio(ratio));
            }
            table.add(cells);
        });
        session.out().println();
        session.out().print(table);
    }

    private static Quartiles quartiles(List<Double> values) {
        return Quartiles.of(values.stream().mapToDouble(Double::doubleValue).toArray());
    }

    /** Returns the nanoseconds that a call takes more than another's in the same round: the median over the rounds. */
    double more(String name, String than) {
        List<Double> row = rows.get(name);
        List<Double> other = rows.get(than);
        double[] more = new double[row.size()];
        for (int i = 0; i < more.length; i++) {
            more[i] = row.get(i) - other.get(i);
        }
        return Summary.median(more);
    }

    /** Returns the time of a call over another's in the same round: the median over the rounds. */
    double over(String name, String divisor) {
        return over(rows.get(name), rows.get(divisor));
    }

    private static double over(List<Double> row, List<Double> divisor) {
        double[] ratios = new double[row.size()];
        for (int i = 0; i < ratios.length; i++) {
            ratios[i] = row.get(i) / divisor.get(i);
        }
        return Summary.median(ratios);
    }
}
