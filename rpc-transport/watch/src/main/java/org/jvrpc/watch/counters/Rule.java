package org.jvrpc.watch.counters;

import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jvrpc.watch.Rate;
import org.jvrpc.watch.Reading;
import org.jvrpc.watch.Unit;

/**
 * A limit of counters, for instance {@code out_of_sequence > 10/s}, {@code rx_prio*_pause_duration > 20% for 3},
 * {@code rxe0:rcvd_pkts < 1/s}, {@code link_downed > 0}.
 *
 * <pre>
 * [DEVICE:]COUNTER (&gt;|&lt;) NUMBER [/s | %] [for TIMES]
 * </pre>
 *
 * {@code *} in DEVICE and COUNTER stands for anything. {@code /s} is of the rate, {@code %} of the share of time of a
 * duration, neither of the value itself. TIMES is how often in a row the limit must be passed: 1 to 1,000, default 1.
 */
public final class Rule {

    /** What is wrong in a fabric without loss, whoever counts it. */
    public static final List<String> DEFAULTS = List.of("out_of_sequence > 0/s", "packet_seq_err > 0/s",
            "local_ack_timeout_err > 0/s", "req_transport_retries_exceeded > 0/s", "rx_icrc_encapsulated > 0/s",
            "rx_discards_phy > 0/s", "rx_prio*_buf_discard > 0/s", "rx_prio*_cong_discard > 0/s",
            "tx_pause_storm_*_events > 0/s", "tx_prio*_pause_duration > 10%", "rx_prio*_pause_duration > 50%");

    private enum Of { VALUE, RATE, SHARE }

    private static final Pattern FORM = Pattern.compile("(?:([^\\s:<>]+):)?([A-Za-z0-9_*.]+)\\s*([<>])\\s*"
            + "([0-9]{1,15}(?:\\.[0-9]{1,9})?)\\s*(/s|%|)(?:\\s+for\\s+([0-9]{1,4}))?");
    private static final int MOST_TIMES = 1_000;
    private static final double HUNDRED = 100;

    private final String text;
    private final Pattern device;
    private final Pattern name;
    private final boolean above;
    private final double limit;
    private final Of of;
    private final int times;

    private Rule(String text, Pattern device, Pattern name, boolean above, double limit, Of of, int times) {
        this.text = text;
        this.device = device;
        this.name = name;
        this.above = above;
        this.limit = limit;
        this.of = of;
        this.times = times;
    }

    /**
     * Reads a rule.
     *
     * @throws IllegalArgumentException when it is none, with its form
     */
    public static Rule parse(String text) {
        String stripped = text.strip().replaceAll("\\s+", " ");
        Matcher matcher = FORM.matcher(stripped);
        if (!matcher.matches()) {
            throw new IllegalArgumentException("no rule: '" + Values.shown(stripped)
                    + "'; a rule is [DEVICE:]COUNTER > NUMBER[/s|%] [for TIMES], as 'out_of_sequence > 10/s'");
        }
        String counter = matcher.group(2);
        Of of = matcher.group(5).isEmpty() ? Of.VALUE : matcher.group(5).equals("%") ? Of.SHARE : Of.RATE;
        if (of == Of.SHARE && !counter.endsWith("_duration")) {
            throw new IllegalArgumentException("'" + stripped + "': a share of the time is of a duration, as"
                    + " rx_prio3_pause_duration, and " + counter + " is none");
        }
        int times = matcher.group(6) == null ? 1 : Integer.parseInt(matcher.group(6));
        if (times < 1 || times > MOST_TIMES) {
            throw new IllegalArgumentException("'" + stripped + "': for " + times + ", which is not 1 to "
                    + MOST_TIMES);
        }
        return new Rule(stripped, glob(matcher.group(1) == null ? "*" : matcher.group(1)), glob(counter),
                matcher.group(3).equals(">"), Double.parseDouble(matcher.group(4)), of, times);
    }

    private static Pattern glob(String text) {
        StringBuilder pattern = new StringBuilder();
        for (String part : text.split("\\*", -1)) {
            pattern.append(pattern.length() == 0 ? "" : ".*").append(Pattern.quote(part));
        }
        return Pattern.compile(pattern.toString());
    }

    /** Returns its text. */
    public String text() {
        return text;
    }

    /** Returns the limit, of values, a second, or percent. */
    public double limit() {
        return limit;
    }

    int times() {
        return times;
    }

    /** Returns true when it needs two readings. */
    public boolean needsRate() {
        return of != Of.VALUE;
    }

    boolean concerns(Reading reading) {
        return name.matcher(reading.name()).matches() && device.matcher(reading.device()).matches();
    }

    /** Returns what it holds against its limit; NaN when it is not known. */
    double value(Rate rate) {
        if (of == Of.VALUE) {
            return rate.last().isReadable() ? Rates.unsigned(rate.last().value()) : Double.NaN;
        }
        if (!rate.known()) {
            return Double.NaN;
        }
        if (of == Of.RATE) {
            return rate.perSecond();
        }
        return rate.last().unit() == Unit.MICROSECONDS ? rate.perSecond() / 1e6 * HUNDRED
                : rate.last().unit() == Unit.NANOSECONDS ? rate.perSecond() / 1e9 * HUNDRED : Double.NaN;
    }

    boolean isPassed(double value) {
        return above ? value > limit : value < limit;
    }

    @Override
    public String toString() {
        return text;
    }
}
