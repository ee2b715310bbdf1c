package org.jvrpc.benchmarks.report;

import java.util.Locale;

/** Numbers as people read them, always with a decimal point. */
public final class Format {

    private Format() {
    }

    /** Returns nanoseconds with the unit that leaves one to four digits before the point. */
    public static String duration(double ns) {
        if (ns < 10_000) {
            return String.format(Locale.ROOT, ns < 100 && ns != Math.rint(ns) ? "%.1f ns" : "%.0f ns", ns);
        }
        if (ns < 10_000_000) {
            return String.format(Locale.ROOT, "%.1f us", ns / 1e3);
        }
        return String.format(Locale.ROOT, ns < 10_000_000_000L ? "%.1f ms" : "%.0f ms", ns / 1e6);
    }

    /** Returns two durations, with one unit where both have it. */
    public static String range(double fromNs, double toNs) {
        String from = duration(fromNs);
        String to = duration(toNs);
        String unit = to.substring(to.indexOf(' '));
        return (from.endsWith(unit) ? from.substring(0, from.length() - unit.length()) : from) + " to " + to;
    }

    /** Returns a ratio with about three digits. */
    public static String ratio(double ratio) {
        return String.format(Locale.ROOT, ratio < 10 ? "%.2f" : ratio < 100 ? "%.1f" : "%.0f", ratio);
    }

    /** Returns a count of things a second. */
    public static String rate(double perSecond) {
        if (perSecond >= 1e6) {
            return String.format(Locale.ROOT, "%.2f M/s", perSecond / 1e6);
        }
        return perSecond >= 1e4
                ? String.format(Locale.ROOT, "%.1f k/s", perSecond / 1e3)
                : String.format(Locale.ROOT, "%.0f /s", perSecond);
    }

    /** Returns bytes a second. */
    public static String bandwidth(double bytesPerSecond) {
        return String.format(Locale.ROOT, "%.2f GB/s", bytesPerSecond / 1e9);
    }

    /** Returns a part of a whole in percent. */
    public static String percent(double fraction) {
        return String.format(Locale.ROOT, "%.1f %%", 100 * fraction);
    }

    /** Returns a count with a unit for thousands and millions. */
    public static String count(double count) {
        if (count >= 1e7) {
            return String.format(Locale.ROOT, "%.0f M", count / 1e6);
        }
        return count >= 1e4 ? String.format(Locale.ROOT, "%.0f k", count / 1e3)
                : String.format(Locale.ROOT, "%.0f", count);
    }
}
