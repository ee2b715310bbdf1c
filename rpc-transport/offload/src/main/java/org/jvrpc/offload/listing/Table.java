package org.jvrpc.offload.listing;

import java.util.ArrayList;
import java.util.List;

/** Text in columns; long cells go on in the lines below. */
final class Table {

    private final int[] limits;
    private final List<String[]> rows = new ArrayList<>();

    /** @param limits widest that each column gets, in characters */
    Table(int... limits) {
        this.limits = limits;
    }

    void row(String... cells) {
        List<List<String>> wrapped = new ArrayList<>();
        int lines = 1;
        for (int i = 0; i < cells.length; i++) {
            wrapped.add(wrap(cells[i], limits[i]));
            lines = Math.max(lines, wrapped.get(i).size());
        }
        for (int line = 0; line < lines; line++) {
            String[] row = new String[cells.length];
            for (int i = 0; i < cells.length; i++) {
                row[i] = line < wrapped.get(i).size() ? wrapped.get(i).get(line) : "";
            }
            rows.add(row);
        }
    }

    /** Breaks a text into lines at blanks; words that are longer stay whole. */
    static List<String> wrap(String text, int limit) {
        List<String> lines = new ArrayList<>();
        StringBuilder line = new StringBuilder();
        for (String word : text.split(" ")) {
            if (line.length() > 0 && line.length() + 1 + word.length() > limit) {
                lines.add(line.toString());
                line.setLength(0);
            }
            line.append(line.length() == 0 ? "" : " ").append(word);
        }
        lines.add(line.toString());
        return lines;
    }

    @Override
    public String toString() {
        int[] widths = new int[limits.length];
        for (String[] row : rows) {
            for (int i = 0; i < row.length; i++) {
                widths[i] = Math.max(widths[i], row[i].length());
            }
        }
        StringBuilder text = new StringBuilder();
        for (String[] row : rows) {
            StringBuilder line = new StringBuilder();
            for (int i = 0; i < row.length; i++) {
                line.append(row[i]).append(" ".repeat(widths[i] - row[i].length() + 2));
            }
            text.append(line.toString().stripTrailing()).append('\n');
        }
        return text.toString();
    }
}
