package org.jvrpc.tools.watch.counters;

import java.io.PrintWriter;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jvrpc.watch.Alert;
import org.jvrpc.watch.Rate;
import org.jvrpc.watch.Unit;
import org.jvrpc.watch.counters.Counted;
import org.jvrpc.watch.counters.PauseRate;

/** For people: the first reading is all counters; each one behind it says what grew, and how it is paused. */
final class TextPrinter implements Printer {

    private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("HH:mm:ss", Locale.ROOT);
    private static final double HUNDRED = 100;

    private final PrintWriter out;
    private final boolean nonzero;
    private final boolean raw;
    private final boolean quiet;
    private Map<String, String> unreadable = Map.of();

    /**
     * Begins.
     *
     * @param nonzero what is 0 is left out
     * @param raw names are the drivers'
     * @param quiet alerts only
     */
    TextPrinter(PrintWriter out, boolean nonzero, boolean raw, boolean quiet) {
        this.out = out;
        this.nonzero = nonzero;
        this.raw = raw;
        this.quiet = quiet;
    }

    @Override
    public void print(Seen seen) {
        if (quiet) {
            seen.alerts().forEach(this::alert);
        } else if (seen.number() == 1) {
            first(seen);
        } else {
            grown(seen);
        }
        if (seen.number() == seen.of()) {
            notJudged(seen);
        }
        out.flush();
    }

    private void first(Seen seen) {
        List<String[]> rows = new ArrayList<>();
        for (Counted one : seen.counted()) {
            if (one.reading().isReadable() && (!nonzero || one.reading().value() != 0)) {
                rows.add(new String[] {one.subject(), one.reading().name(), value(one), one.origin()});
            }
        }
        table(rows, 2);
        unreadable(seen);
        long devices = seen.counted().stream().map(one -> one.reading().device()).distinct().count();
        out.println();
        out.println((seen.counted().size() - seen.unreadable()) + " counters of " + devices
                + (devices == 1 ? " device" : " devices") + (seen.unreadable() == 0 ? "." : "; " + seen.unreadable()
                + " could not be read."));
        seen.alerts().forEach(this::alert);
    }

    /** One that cannot be read is named when that begins, when the reason changes, and when it is over. */
    private void unreadable(Seen seen) {
        Map<String, String> now = new LinkedHashMap<>();
        for (Counted one : seen.counted()) {
            String who = one.subject() + "  " + one.reading().name() + (raw ? "  (" + one.origin() + ")" : "");
            if (!one.reading().isReadable()) {
                now.put(who, one.reading().refusal());
                if (!one.reading().refusal().equals(unreadable.get(who))) {
                    out.println(who + "  cannot be read: " + one.reading().refusal());
                }
            } else if (unreadable.containsKey(who)) {
                out.println(who + "  can be read again");
            }
        }
        unreadable = now;
    }

    /** A line a reason. */
    private void notJudged(Seen seen) {
        Map<String, List<String>> reasons = new LinkedHashMap<>();
        seen.watch().blind().forEach((rule, why) ->
                reasons.computeIfAbsent(why, key -> new ArrayList<>()).add(rule.text()));
        reasons.forEach((why, rules) -> out.println("NOT JUDGED, " + why + ": " + String.join(", ", rules)));
    }

    private void grown(Seen seen) {
        out.println();
        out.println(TIME.format(Instant.ofEpochMilli(seen.wallMs()).atZone(ZoneId.systemDefault())) + "  reading "
                + seen.number());
        List<String[]> rows = new ArrayList<>();
        for (int i = 0; i < seen.rates().size(); i++) {
            Rate rate = seen.rates().get(i);
            Counted one = seen.counted().get(i);
            if (rate.reset()) {
                rows.add(new String[] {one.subject(), one.reading().name(), value(one), "reset"});
            } else if (rate.known() && rate.perSecond() > 0) {
                rows.add(new String[] {one.subject(), one.reading().name(), value(one),
                    figure(rate.perSecond()) + unit(one) + "/s"});
            }
        }
        table(rows, 2, 3);
        unreadable(seen);
        if (rows.isEmpty()) {
            out.println("nothing grew");
        }
        if (!raw) {
            PauseRate.of(seen.rates()).stream().filter(PauseRate::isPaused).forEach(this::pause);
        }
        seen.alerts().forEach(this::alert);
    }

    private void pause(PauseRate pause) {
        StringBuilder line = new StringBuilder().append(pause.device()).append('/').append(pause.port())
                .append("  priority ").append(pause.priority())
                .append(pause.received() ? " is paused " : " pauses the other end ");
        if (Double.isNaN(pause.share())) {
            line.append("for an unknown time");
        } else {
            line.append(figure(pause.share() * HUNDRED)).append(" % of the time");
        }
        if (!Double.isNaN(pause.meanUs())) {
            line.append(", ").append(figure(pause.meanUs())).append(" us each, every ")
                    .append(figure(pause.intervalUs())).append(" us");
        } else if (pause.share() >= 1) {
            line.append(": it does not end");
        }
        out.println(line);
    }

    private void alert(Alert alert) {
        out.println((alert.raised() ? "ALERT  " : "OVER   ") + alert.rule() + ": " + alert.subject()
                + (Double.isNaN(alert.value()) ? " has had no value for long" : " is " + figure(alert.value())));
    }

    private static String value(Counted one) {
        return Long.toUnsignedString(one.reading().value()) + unit(one);
    }

    private static String unit(Counted one) {
        Unit unit = one.reading().unit();
        return unit == Unit.BYTES ? " B" : unit == Unit.MICROSECONDS ? " us" : unit == Unit.NANOSECONDS ? " ns" : "";
    }

    /** Returns a number with three digits or all before the point. */
    static String figure(double value) {
        if (value >= HUNDRED || value == Math.rint(value)) {
            return String.format(Locale.ROOT, "%.0f", value);
        }
        return String.format(Locale.ROOT, value >= 10 ? "%.1f" : value >= 1 ? "%.2f" : "%.3f", value);
    }

    private void table(List<String[]> rows, int... right) {
        int columns = rows.stream().mapToInt(row -> row.length).max().orElse(0);
        int[] width = new int[columns];
        for (String[] row : rows) {
            for (int i = 0; i < row.length; i++) {
                width[i] = Math.max(width[i], row[i].length());
            }
        }
        for (String[] row : rows) {
            StringBuilder line = new StringBuilder();
            for (int i = 0; i < row.length; i++) {
                String pad = " ".repeat(width[i] - row[i].length());
                boolean toRight = contains(right, i);
                line.append(toRight ? pad : "").append(row[i]).append(toRight ? "" : pad)
                        .append("  ");
            }
            out.println(line.toString().stripTrailing());
        }
    }

    private static boolean contains(int[] of, int wanted) {
        for (int one : of) {
            if (one == wanted) {
                return true;
            }
        }
        return false;
    }
}
