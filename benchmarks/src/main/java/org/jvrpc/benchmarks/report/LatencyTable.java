package org.jvrpc.benchmarks.report;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * The table of a latency benchmark. The last columns divide a row's p50 by that of a reference row; reference rows that
 * are missing give no column.
 */
public final class LatencyTable {

    private static final List<String> STATISTICS = List.of("p50", "p90", "p99", "p99.9", "max", "calls");

    private LatencyTable() {
    }

    /**
     * Lays out summaries by name.
     *
     * @param rows in the order of the table
     * @param references the rows to divide by
     */
    public static String of(Map<String, Summary> rows, List<String> references) {
        List<String> present = references.stream().filter(rows::containsKey).toList();
        List<String> headings = new ArrayList<>();
        headings.add("");
        headings.addAll(STATISTICS);
        present.forEach(reference -> headings.add("/ " + reference));
        Table table = new Table(headings.toArray(String[]::new));
        rows.forEach((name, summary) -> table.add(cells(name, summary, rows, present)));
        return table.toString();
    }

    private static List<String> cells(String name, Summary summary, Map<String, Summary> rows,
            List<String> references) {
        List<String> cells = new ArrayList<>(List.of(
                name,
                Format.duration(summary.p50()),
                Format.duration(summary.p90()),
                Format.duration(summary.p99()),
                Format.duration(summary.p999()),
                Format.duration(summary.max()),
                Format.count(summary.count())));
        for (String reference : references) {
            cells.add(Format.ratio((double) summary.p50() / rows.get(reference).p50()));
        }
        return cells;
    }
}
