package org.jvrpc.watch.rperf;

import java.util.Locale;

/** What people read of a result: lines of at most 120 characters. */
public final class ResultText {

    private static final double NS_PER_US = 1e3;

    private ResultText() {
    }

    /** Returns lines, each with its end. */
    public static String of(RperfResult result) {
        StringBuilder out = new StringBuilder();
        LoadPattern pattern = result.pattern();
        line(out, "%s: %,d B, %s; %s", result.name(), pattern.bytes(), load(pattern),
                "times by " + (result.stamps().name().toLowerCase(Locale.ROOT)));
        line(out, "  %,d pairs in %.2f s: %,.0f a second, %.3f Gb/s over the wire", result.pairs(), result.seconds(),
                result.rate(), result.gbps());
        figures(out, result.isSubtracted() ? "RTT" : "RTT with end-points", result.rtt());
        if (result.isSubtracted()) {
            line(out, "  %,d samples of 0 and less are not in it; the mean with them is %s us", result.zeroOrLess(),
                    us(result.meanOfAllNs()));
            figures(out, "over the wire, end-points included", result.wire());
            figures(out, "by loopback, which is subtracted", result.loopback());
            line(out, "  median T_wire - T_loopback %s us when loopback was posted first, %s us when second: the second"
                    + " waits %s us, which is taken out", us(result.loopbackFirstP50Ns()),
                    us(result.wireFirstP50Ns()), us(result.secondWaitsNs()));
            line(out, Double.isNaN(result.loopbackBitsNs())
                    ? "  how long loopback's own bits are in the NIC is unknown, so that they are subtracted, too"
                    : "  loopback's own bits are in the NIC for %s us, which is known here and added back",
                    us(result.loopbackBitsNs()));
        } else {
            line(out, "  NOT SUBTRACTED, what end-points add is in it: %s", result.notSubtracted());
        }
        if (!result.rtt().isEnough()) {
            line(out, "  p99.99 needs 10^5 samples, n=%,d", result.rtt().count());
        }
        if (result.missed() > 0) {
            line(out, "  %,d could not be sent when they were due: all %,d places were taken", result.missed(),
                    pattern.outstanding());
        }
        if (result.unfinished() > 0) {
            line(out, "  %,d did not complete", result.unfinished());
        }
        if (result.trouble() != null) {
            line(out, "  ENDED EARLY: %s", result.trouble());
        }
        return out.toString();
    }

    private static String load(LoadPattern pattern) {
        StringBuilder out = new StringBuilder();
        if (pattern.periodNs() == 0) {
            out.append(String.format(Locale.ROOT, "up to %,d under way", pattern.outstanding()));
        } else {
            out.append(String.format(Locale.ROOT, "%,.0f a second", pattern.rate()));
            if (pattern.burst() > 1) {
                out.append(String.format(Locale.ROOT, " in bursts of %,d", pattern.burst()));
            }
        }
        if (pattern.onNs() > 0) {
            out.append(String.format(Locale.ROOT, ", %s us on and %s us off", us(pattern.onNs()), us(pattern.offNs())));
        }
        return out.toString();
    }

    private static void figures(StringBuilder out, String what, Figures figures) {
        if (figures.count() == 0) {
            line(out, "  %s: no sample above 0", what);
            return;
        }
        line(out, "  %s, us: mean %s, least %s, p50 %s, p99 %s, p99.9 %s, p99.99 %s, most %s; n=%,d", what,
                us(figures.meanNs()), us(figures.leastNs()), us(figures.p50Ns()), us(figures.p99Ns()),
                us(figures.p999Ns()), us(figures.p9999Ns()), us(figures.mostNs()), figures.count());
    }

    private static String us(double ns) {
        return String.format(Locale.ROOT, "%.3f", ns / NS_PER_US);
    }

    private static void line(StringBuilder out, String format, Object... values) {
        out.append(String.format(Locale.ROOT, format, values)).append('\n');
    }
}
