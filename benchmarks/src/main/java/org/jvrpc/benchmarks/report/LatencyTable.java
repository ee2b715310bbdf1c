package org.jvrpc.benchmarks.report;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * The table of a latency benchmark. The last columns say how many times the p50 of the limit, and of a reference row, a
 * row takes; where those are missing the column is.
 */
public final class LatencyTable {

    private static final List<String> HEADINGS = List.of("", "p50", "p90", "p99", "p99.9", "max", "calls");

    private LatencyTable() {
    }

    /**
     * Lays out rows.
     *
     * @param rows in the order of the table
     * @param reference the row to divide by
     */
    public static String of(Map<String, Measured> rows, String reference) {
        boolean limit = !rows.isEmpty() && rows.values().stream().allMatch(Measured::hasLimit);
        Measured divisor = rows.get(reference);
        List<String> headings = new ArrayList<>(HEADINGS);
        if (limit) {
            headings.add("/ limit");
        }
        if (divisor != null) {
            headings.add("/ " + reference);
        }
        Table table = new Table(headings.toArray(String[]::new));
        rows.forEach((name, row) -> {
            List<String> cells = statistics(name, row.median());
            if (limit) {
                cells.add(Format.ratio(row.overLimit()));
            }
            if (divisor != null) {
                cells.add(Format.ratio(row.over(divisor)));
            }
            table.add(cells);
        });
        return table.toString();
    }

    private static List<String> statistics(String name, Summary summary) {
        return new ArrayList<>(List.of(
                name,
                Format.duration(summary.p50()),
                Format.duration(summary.p90()),
                Format.duration(summary.p99()),
                Format.duration(summary.p999()),
                Format.duration(summary.max()),
                Format.count(summary.count())));
    }
}
