package org.jvrpc.benchmarks.report;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * The table of a latency benchmark. The last columns say how many times the p50 of the limit, and of reference rows,
 * a row takes; where those are missing the column is.
 */
public final class LatencyTable {

    private static final List<String> HEADINGS = List.of("", "p50", "quartiles", "p90", "p99", "p99.9", "max", "calls");

    private LatencyTable() {
    }

    /**
     * Lays out rows.
     *
     * @param rows in the order of the table
     * @param references the rows to divide by
     */
    public static String of(Map<String, Measured> rows, String... references) {
        boolean limit = !rows.isEmpty() && rows.values().stream().allMatch(Measured::hasLimit);
        List<String> divisors = Stream.of(references).filter(rows::containsKey).toList();
        List<String> headings = new ArrayList<>(HEADINGS);
        if (limit) {
            headings.add("/ limit");
        }
        divisors.forEach(divisor -> headings.add("/ " + divisor));
        Table table = new Table(headings.toArray(String[]::new));
        rows.forEach((name, row) -> {
            List<String> cells = statistics(name, row);
            if (limit) {
                cells.add(Format.ratio(row.overLimit().median()));
            }
            divisors.forEach(divisor -> cells.add(Format.ratio(row.over(rows.get(divisor)).median())));
            table.add(cells);
        });
        return table.toString();
    }

    private static List<String> statistics(String name, Measured row) {
        Summary summary = row.median();
        Quartiles p50 = row.p50();
        return new ArrayList<>(List.of(
                name,
                Format.duration(summary.p50()),
                Format.range(p50.first(), p50.third()),
                Format.duration(summary.p90()),
                Format.duration(summary.p99()),
                Format.duration(summary.p999()),
                Format.duration(summary.max()),
                Format.count(summary.count())));
    }
}
