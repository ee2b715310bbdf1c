package org.jvrpc.watch.rperf.control;

import org.jvrpc.watch.StampSource;
import org.jvrpc.watch.rperf.Distribution;
import org.jvrpc.watch.rperf.Figures;
import org.jvrpc.watch.rperf.LoadPattern;
import org.jvrpc.watch.rperf.RperfResult;

/** Results as one line. Whoever reads one believes the agent's figures, but no number out of range. */
final class ResultFields {

    private static final int MOST_WORDS = 400;
    private static final int MOST_ENTRIES = 60_000;
    private static final int FIGURES = 8;
    private static final int MOST_TEXT = 1000;

    private ResultFields() {
    }

    static Fields write(RperfResult result) {
        return new Fields().put("stamps", result.stamps()).put("notSubtracted", cut(result.notSubtracted()))
                .put("seconds", result.seconds()).put("pairs", result.pairs()).put("zeroOrLess", result.zeroOrLess())
                .put("meanOfAllNs", result.meanOfAllNs()).put("missed", result.missed())
                .put("unfinished", result.unfinished()).put("trouble", cut(result.trouble()))
                .put("wire", figures(result.wire())).put("loopback", figures(result.loopback()))
                .put("loopbackFirstP50Ns", result.loopbackFirstP50Ns())
                .put("wireFirstP50Ns", result.wireFirstP50Ns()).put("secondWaitsNs", result.secondWaitsNs())
                .put("loopbackBitsNs", Double.isNaN(result.loopbackBitsNs()) ? null : result.loopbackBitsNs())
                .put("rtt", distribution(result.distribution()));
    }

    private static String cut(String text) {
        return text == null || text.length() <= MOST_WORDS ? text : text.substring(0, MOST_WORDS);
    }

    private static String figures(Figures figures) {
        return figures.count() + "," + figures.meanNs() + "," + figures.leastNs() + "," + figures.p50Ns() + ","
                + figures.p99Ns() + "," + figures.p999Ns() + "," + figures.p9999Ns() + "," + figures.mostNs();
    }

    /** Values as differences, by count where that is not 1: {@code 2500-3.12.1-2}. */
    private static String distribution(Distribution distribution) {
        StringBuilder out = new StringBuilder();
        long last = 0;
        for (int i = 0; i < distribution.counts().length; i++) {
            out.append(i == 0 ? "" : ".").append(distribution.valuesNs()[i] - last);
            if (distribution.counts()[i] != 1) {
                out.append('-').append(distribution.counts()[i]);
            }
            last = distribution.valuesNs()[i];
        }
        return out.toString();
    }

    /** @throws IllegalArgumentException with what is out of range */
    static RperfResult read(Fields fields, String name, LoadPattern pattern) {
        Distribution rtt = distribution(fields.text("rtt", SealedLines.REPLY_BYTES));
        return new RperfResult(name, pattern, StampSource.valueOf(String.valueOf(fields.text("stamps", MOST_TEXT))),
                fields.text("notSubtracted", MOST_TEXT), fields.real("seconds", 0, 1e6),
                fields.number("pairs", 0, Long.MAX_VALUE), fields.number("zeroOrLess", 0, Long.MAX_VALUE),
                fields.real("meanOfAllNs", -1e18, 1e18), fields.number("missed", 0, Long.MAX_VALUE),
                fields.number("unfinished", 0, Long.MAX_VALUE), fields.text("trouble", MOST_TEXT), rtt.figures(),
                figures("wire", fields), figures("loopback", fields),
                fields.number("loopbackFirstP50Ns", -LoadPattern.LONGEST_NS, LoadPattern.LONGEST_NS),
                fields.number("wireFirstP50Ns", -LoadPattern.LONGEST_NS, LoadPattern.LONGEST_NS),
                fields.number("secondWaitsNs", -LoadPattern.LONGEST_NS, LoadPattern.LONGEST_NS),
                fields.text("loopbackBitsNs", MOST_TEXT) == null ? Double.NaN
                        : fields.real("loopbackBitsNs", 0, LoadPattern.LONGEST_NS), rtt);
    }

    private static Figures figures(String name, Fields fields) {
        String[] words = String.valueOf(fields.text(name, MOST_TEXT)).split(",", -1);
        if (words.length != FIGURES) {
            throw new IllegalArgumentException(name + " are no " + FIGURES + " figures");
        }
        return new Figures(Long.parseLong(words[0]), Double.parseDouble(words[1]), Long.parseLong(words[2]),
                Long.parseLong(words[3]), Long.parseLong(words[4]), Long.parseLong(words[5]),
                Long.parseLong(words[6]), Long.parseLong(words[7]));
    }

    private static Distribution distribution(String text) {
        if (text == null || text.isEmpty()) {
            return new Distribution(new long[0], new long[0]);
        }
        String[] words = text.split("\\.", -1);
        if (words.length > MOST_ENTRIES) {
            throw new IllegalArgumentException("rtt has more than " + MOST_ENTRIES + " values");
        }
        long[] values = new long[words.length];
        long[] counts = new long[words.length];
        for (int i = 0; i < words.length; i++) {
            int dash = words[i].indexOf('-');
            long step = Long.parseLong(dash < 0 ? words[i] : words[i].substring(0, dash));
            counts[i] = dash < 0 ? 1 : Long.parseLong(words[i].substring(dash + 1));
            values[i] = Math.addExact(i == 0 ? 0 : values[i - 1], step);
            if (counts[i] < 1 || counts[i] > Long.MAX_VALUE / MOST_ENTRIES) {
                throw new IllegalArgumentException("rtt has a count that is none: " + counts[i]);
            }
        }
        return new Distribution(values, counts);
    }
}
