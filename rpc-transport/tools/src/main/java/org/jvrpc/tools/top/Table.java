package org.jvrpc.tools.top;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jvrpc.runtime.counters.EndpointCounters.Role;

/** Lines as people read them. */
final class Table {

    private static final String HEAD = String.format("%-7s %-18s %-6s %10s %8s %9s %9s %9s %9s %5s %5s %8s %8s  %s",
            "PID", "PROCESS", "ROLE", "CALLS/S", "ERR/S", "P50", "P99", "IN B/S", "OUT B/S", "SESS", "OPEN", "WAIT/S",
            "SLEEP/S", "ADDRESS");

    private Table() {
    }

    /** Returns the lines of a table. @param unread what stands below it */
    static List<String> of(List<Row> rows, List<Reading.Unread> unread) {
        List<String> lines = new ArrayList<>();
        lines.add(HEAD);
        rows.forEach(row -> lines.add(of(row)));
        for (Reading.Unread file : unread) {
            lines.add("not read: " + plain(file.message()));
        }
        return lines;
    }

    private static String of(Row row) {
        return String.format(Locale.ROOT, "%-7d %-18s %-6s %10s %8s %9s %9s %9s %9s %5d %5d %8s %8s  %s",
                row.pid(), cut(plain(row.process()), 18), row.role() == Role.SERVER ? "server" : "client",
                number(row.callRate()), number(row.failureRate()), time(row.p50Ns()), time(row.p99Ns()),
                number(row.bytesInRate()), number(row.bytesOutRate()), row.sessions(), row.inFlight(),
                number(row.waitRate()), number(row.sleepRate()),
                plain(row.method().isEmpty() ? row.address() : row.address() + " " + row.method()));
    }

    /** Other processes chose these texts: no control character of theirs reaches the terminal. */
    static String plain(String text) {
        StringBuilder clean = new StringBuilder(text.length());
        text.codePoints().forEach(c -> clean.appendCodePoint(
                Character.isISOControl(c) || Character.getType(c) == Character.FORMAT ? '?' : c));
        return clean.toString();
    }

    private static String cut(String text, int most) {
        int dot = text.lastIndexOf('.');
        String brief = text.length() > most && dot > 0 && !text.endsWith(".jar") ? text.substring(dot + 1) : text;
        return brief.length() <= most ? brief : brief.substring(0, most - 1) + "…";
    }

    /** Returns a number with three digits or so: {@code 0}, {@code 9.5}, {@code 1234}, {@code 56.7k}, {@code 3.21M}. */
    static String number(double value) {
        if (value < 9.95) {
            return value == 0 ? "0" : String.format(Locale.ROOT, "%.1f", value);
        }
        if (value < 9_999.5) {
            return String.format(Locale.ROOT, "%.0f", value);
        }
        if (value < 999_950) {
            return String.format(Locale.ROOT, "%.1fk", value / 1e3);
        }
        return value < 999_950_000 ? String.format(Locale.ROOT, "%.2fM", value / 1e6)
                : String.format(Locale.ROOT, "%.2fG", value / 1e9);
    }

    /** Returns a time with its unit, {@code -} for none. */
    static String time(long ns) {
        if (ns == 0) {
            return "-";
        }
        if (ns < 10_000) {
            return ns + "ns";
        }
        return ns < 10_000_000 ? ns / 1000 + "us" : ns / 1_000_000 + "ms";
    }
}
