package org.jvrpc.samples.quickstart;

import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import org.HdrHistogram.Histogram;
import org.jvrpc.api.Status;

/** What the client prints. */
final class Text {

    private static final String ROW = "%-18s %12s %9s %9s %9s %9s %9s %8s%n";

    private Text() {
    }

    /** Returns a duration in the unit that suits it, with three digits. */
    static String duration(long ns) {
        if (ns < 1_000) {
            return ns + " ns";
        }
        String[] units = {"us", "ms", "s"};
        double value = ns / 1e3;
        int unit = 0;
        while (value >= 999.5 && unit < units.length - 1) {
            value /= 1e3;
            unit++;
        }
        int decimals = value < 9.995 ? 2 : value < 99.95 ? 1 : 0;
        return String.format(Locale.ROOT, "%." + decimals + "f %s", value, units[unit]);
    }

    /** Returns a number with commas. */
    static String count(long number) {
        return String.format(Locale.ROOT, "%,d", number);
    }

    /** Returns the progress line, without an end of line. */
    static String progress(double atSeconds, double callsPerSecond, Tally tally, String state) {
        Histogram answered = tally.answered();
        String latencies = answered.getTotalCount() == 0 ? "" : String.format(Locale.ROOT, "   p50 %7s   p99 %7s",
                duration(answered.getValueAtPercentile(50)), duration(answered.getValueAtPercentile(99)));
        long errors = tally.errors();
        return String.format(Locale.ROOT, "%5.1f s %12s calls/s", atSeconds, count(Math.round(callsPerSecond)))
                + latencies + (errors == 0 ? "" : "   errors " + count(errors)) + state;
    }

    /** Returns the table of latencies. */
    static String table(Tally tally) {
        StringBuilder table = new StringBuilder(
                String.format(ROW, "method", "calls", "p50", "p90", "p99", "p99.9", "max", "errors"));
        for (Call call : Call.values()) {
            Histogram latencies = tally.of(call);
            boolean none = latencies.getTotalCount() == 0;
            table.append(String.format(ROW, call.label(), count(latencies.getTotalCount()),
                    none ? "-" : duration(latencies.getValueAtPercentile(50)),
                    none ? "-" : duration(latencies.getValueAtPercentile(90)),
                    none ? "-" : duration(latencies.getValueAtPercentile(99)),
                    none ? "-" : duration(latencies.getValueAtPercentile(99.9)),
                    none ? "-" : duration(latencies.getMaxValue()),
                    count(tally.errors(call))));
        }
        return table.toString();
    }

    /** Returns failed calls as {@code 3 UNAVAILABLE, 1 INTERNAL}. */
    static String statuses(Map<Status, Long> statuses) {
        return statuses.entrySet().stream()
                .map(entry -> count(entry.getValue()) + " " + entry.getKey())
                .collect(Collectors.joining(", "));
    }
}
