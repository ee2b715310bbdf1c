package org.jvrpc.tools.watch.rperf;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jvrpc.watch.rperf.LoadPattern;

/** Reads what options say. All throw {@link IllegalArgumentException} with what was said and what was expected. */
final class Words {

    private static final Pattern TIME = Pattern.compile("(\\d{1,9}(?:\\.\\d{1,9})?)(ns|us|ms|s)");
    private static final Pattern SWEEP = Pattern.compile("(\\d{1,7}):(\\d{1,7}):x(\\d{1,3})");
    private static final Pattern NUMBER = Pattern.compile("\\d{1,7}");
    private static final int MOST_SIZES = 32;

    private Words() {
    }

    /** Reads {@code 500ns}, {@code 10us}, {@code 2.5ms} or {@code 3s}; returns nanoseconds. */
    static long timeNs(String option, String word) {
        Matcher matcher = TIME.matcher(word);
        if (!matcher.matches()) {
            throw new IllegalArgumentException(option + "=" + word + " is no time such as 500ns, 10us, 2.5ms or 3s");
        }
        double unit = switch (matcher.group(2)) {
            case "ns" -> 1;
            case "us" -> 1e3;
            case "ms" -> 1e6;
            default -> 1e9;
        };
        return Math.round(Double.parseDouble(matcher.group(1)) * unit);
    }

    /** Reads {@code 64}, {@code 64,512} or {@code 64:4096:x2}, and lists of those. */
    static List<Integer> sizes(String words) {
        List<Integer> sizes = new ArrayList<>();
        for (String word : words.split(",", -1)) {
            Matcher sweep = SWEEP.matcher(word);
            if (sweep.matches()) {
                addSweep(sizes, words, Integer.parseInt(sweep.group(1)), Integer.parseInt(sweep.group(2)),
                        Integer.parseInt(sweep.group(3)));
            } else if (NUMBER.matcher(word).matches()) {
                sizes.add(Integer.parseInt(word));
            } else {
                throw new IllegalArgumentException("--size=" + words
                        + " is not such as 64, or 64,512, or 64:4096:x2, in bytes");
            }
        }
        for (int size : sizes) {
            if (size < 1 || size > LoadPattern.MOST_BYTES) {
                throw new IllegalArgumentException("--size=" + words + ": messages have 1 to "
                        + LoadPattern.MOST_BYTES + " bytes, not " + size);
            }
        }
        if (sizes.size() > MOST_SIZES) {
            throw new IllegalArgumentException("--size=" + words + " are " + sizes.size() + " sizes, at most "
                    + MOST_SIZES + " are measured in turn");
        }
        return sizes;
    }

    private static void addSweep(List<Integer> sizes, String words, int from, int to, int factor) {
        if (factor < 2 || from < 1 || from > to) {
            throw new IllegalArgumentException("--size=" + words + ": a sweep grows, from 1 byte on, by x2 or more");
        }
        for (long size = from; size <= to; size *= factor) {
            sizes.add((int) size);
        }
    }

    /** Reads {@code 8/100us}: so many messages together, each so long. */
    static LoadPattern bursts(LoadPattern pattern, String words) {
        String[] parts = words.split("/", -1);
        if (parts.length != 2 || !NUMBER.matcher(parts[0]).matches()) {
            throw new IllegalArgumentException("--burst=" + words + " is not such as 8/100us");
        }
        return pattern.withBursts(Integer.parseInt(parts[0]), timeNs("--burst", parts[1]));
    }

    /** Reads {@code 10ms/90ms}: so long on, so long off. */
    static LoadPattern onOff(LoadPattern pattern, String words) {
        String[] parts = words.split("/", -1);
        if (parts.length != 2) {
            throw new IllegalArgumentException("--on-off=" + words + " is not such as 10ms/90ms");
        }
        return pattern.withOnOff(timeNs("--on-off", parts[0]), timeNs("--on-off", parts[1]));
    }
}
