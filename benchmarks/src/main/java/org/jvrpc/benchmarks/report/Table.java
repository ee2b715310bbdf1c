package org.jvrpc.benchmarks.report;

import java.util.ArrayList;
import java.util.List;

/** Text in columns: the first to the left, the others to the right. */
public final class Table {

    private final List<List<String>> rows = new ArrayList<>();

    /** A table with a heading over each column. */
    public Table(String... headings) {
        rows.add(List.of(headings));
    }

    /** Adds a row of as many cells as there are headings. */
    public void add(List<String> cells) {
        if (cells.size() != rows.get(0).size()) {
            throw new IllegalArgumentException("cells=" + cells.size() + " headings=" + rows.get(0).size());
        }
        rows.add(List.copyOf(cells));
    }

    /** Adds a row. */
    public void add(String... cells) {
        add(List.of(cells));
    }

    @Override
    public String toString() {
        StringBuilder text = new StringBuilder();
        for (List<String> row : rows) {
            StringBuilder line = new StringBuilder();
            for (int column = 0; column < row.size(); column++) {
                String cell = row.get(column);
                String gap = " ".repeat(width(column) - cell.length());
                line.append(column == 0 ? "" : "  ");
                line.append(column == 0 ? cell + gap : gap + cell);
            }
            text.append(line.toString().stripTrailing()).append('\n');
        }
        return text.toString();
    }

    private int width(int column) {
        return rows.stream().mapToInt(row -> row.get(column).length()).max().orElse(0);
    }
}
