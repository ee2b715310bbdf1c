package org.jvrpc.codegen.parse;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The text of a deadline: digits and a unit. */
final class Deadline {

    private static final Pattern FORM = Pattern.compile("(\\d{1,18})(ns|us|ms|s|m|h)");

    private Deadline() {
    }

    /** Returns nanoseconds, 0 for an empty text, -1 for one that is not a deadline or does not fit. */
    static long parse(String text) {
        if (text.isEmpty()) {
            return 0;
        }
        Matcher matcher = FORM.matcher(text);
        if (!matcher.matches()) {
            return -1;
        }
        long number = Long.parseLong(matcher.group(1));
        long unit = nanoseconds(matcher.group(2));
        return number == 0 || number > Long.MAX_VALUE / unit ? -1 : number * unit;
    }

    private static long nanoseconds(String unit) {
        return switch (unit) {
            case "ns" -> 1L;
            case "us" -> 1_000L;
            case "ms" -> 1_000_000L;
            case "s" -> 1_000_000_000L;
            case "m" -> 60_000_000_000L;
            case "h" -> 3_600_000_000_000L;
            default -> throw new AssertionError(unit);
        };
    }
}
