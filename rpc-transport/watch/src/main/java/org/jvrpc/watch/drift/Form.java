package org.jvrpc.watch.drift;

import java.math.BigDecimal;
import java.util.Locale;
import java.util.Map;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** How a value is written, and when two of them are the same: 1/16 is 0.0625, and 4 KiB is 4096. */
enum Form {
    /** A share or a factor: 1/16, 6.25%, 0.0625. */
    RATIO,
    /** 4096, 5KB (of 1000), 4KiB (of 1024), MB, MiB, GB, GiB. */
    BYTES,
    /** 100us; of ns, us, ms, s, min, h; 0 needs none. */
    DURATION,
    INTEGER,
    /** on or off; true, false, yes, no as well. */
    SWITCH,
    /** Numbers 0 to 7, with commas; none. */
    PRIORITIES,
    TEXT;

    /** What is found where there is no such setting. */
    static final String NONE = "none";

    private static final double NEAR = 1e-9;
    private static final int MOST_DIGITS = 30;
    private static final int HEX = 16;
    private static final int PRIORITY_COUNT = 8;
    private static final Pattern DECIMAL = Pattern.compile("[0-9]{1,20}(\\.[0-9]{1,20})?([eE]-?[0-9]{1,3})?");
    private static final Pattern NUMBER = Pattern.compile("([0-9]+(?:\\.[0-9]+)?)\\s*([A-Za-z]*)");
    private static final Map<String, Long> SIZES = Map.of("", 1L, "B", 1L, "KB", 1_000L, "KiB", 1L << 10, "MB",
            1_000_000L, "MiB", 1L << 20, "GB", 1_000_000_000L, "GiB", 1L << 30);
    private static final Map<String, Long> TIMES = Map.of("ns", 1L, "us", 1_000L, "ms", 1_000_000L, "s",
            1_000_000_000L, "min", 60_000_000_000L, "h", 3_600_000_000_000L);

    /**
     * Returns the one way to write a value.
     *
     * @throws IllegalArgumentException when it is none; the message says what is expected
     */
    String normal(String value) {
        String text = value.strip();
        if (text.equals(NONE) && this != PRIORITIES) {
            return NONE;
        }
        return switch (this) {
            case RATIO -> Double.toString(ratio(text));
            case BYTES -> Long.toString(number(text, SIZES, "a number of bytes, as 4096, 5KB or 4KiB"));
            case DURATION -> text.equals("0") ? "0"
                    : Long.toString(number(text, TIMES, "a time with its unit, as 10us"));
            case INTEGER -> Long.toString(integer(text));
            case SWITCH -> onOff(text);
            case PRIORITIES -> priorities(text);
            case TEXT -> text;
        };
    }

    /** Returns true when two normal values are the same. */
    boolean same(String a, String b) {
        if (this != RATIO || a.equals(b) || a.equals(NONE) || b.equals(NONE)) {
            return a.equals(b);
        }
        double one = Double.parseDouble(a);
        double other = Double.parseDouble(b);
        return Math.abs(one - other) <= NEAR * Math.max(Math.abs(one), Math.abs(other));
    }

    /** Returns a normal value as people read it: 1/64 for 0.015625, 5 us for 5000. */
    String shown(String normal) {
        if (normal.equals(NONE)) {
            return NONE;
        }
        return switch (this) {
            case RATIO -> {
                double one = 1 / Double.parseDouble(normal);
                boolean part = one > 1.5 && Math.abs(one - Math.rint(one)) <= NEAR * one && one < 1 << 20;
                yield part ? "1/" + (long) Math.rint(one) : normal;
            }
            case DURATION -> unit(Long.parseLong(normal));
            default -> normal;
        };
    }

    private static String unit(long ns) {
        String[] names = {"ns", "us", "ms", "s"};
        int at = 0;
        long value = ns;
        while (at < names.length - 1 && value != 0 && value % 1000 == 0) {
            value /= 1000;
            at++;
        }
        return value + names[at];
    }

    private static double ratio(String text) {
        try {
            int slash = text.indexOf('/');
            double value;
            if (slash > 0) {
                value = decimal(text.substring(0, slash)) / decimal(text.substring(slash + 1));
            } else if (text.endsWith("%")) {
                value = decimal(text.substring(0, text.length() - 1)) / 100;
            } else {
                value = decimal(text);
            }
            if (Double.isFinite(value) && value >= 0) {
                return value;
            }
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException("'" + text + "' is no ratio, as 1/16, 6.25% or 0.0625", e);
        }
        throw new IllegalArgumentException("'" + text + "' is no ratio, as 1/16, 6.25% or 0.0625");
    }

    private static double decimal(String text) {
        if (!DECIMAL.matcher(text.strip()).matches()) {
            throw new NumberFormatException(text);
        }
        return Double.parseDouble(text.strip());
    }

    private static long number(String text, Map<String, Long> units, String expected) {
        Matcher matcher = NUMBER.matcher(text);
        if (text.length() <= MOST_DIGITS && matcher.matches() && units.containsKey(matcher.group(2))) {
            try {
                return new BigDecimal(matcher.group(1)).multiply(BigDecimal.valueOf(units.get(matcher.group(2))))
                        .longValueExact();
            } catch (ArithmeticException e) {
                throw new IllegalArgumentException("'" + text + "' is no whole number, or too large", e);
            }
        }
        throw new IllegalArgumentException("'" + text + "' is not " + expected);
    }

    private static long integer(String text) {
        try {
            return text.startsWith("0x") ? Long.parseLong(text.substring(2), HEX) : Long.parseLong(text);
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException("'" + text + "' is no whole number", e);
        }
    }

    private static String onOff(String text) {
        return switch (text.toLowerCase(Locale.ROOT)) {
            case "on", "true", "yes" -> "on";
            case "off", "false", "no" -> "off";
            default -> throw new IllegalArgumentException("'" + text + "' is neither on nor off");
        };
    }

    private static String priorities(String text) {
        if (text.equals(NONE) || text.isEmpty()) {
            return NONE;
        }
        TreeSet<Long> all = new TreeSet<>();
        for (String part : text.split(",", PRIORITY_COUNT * 2)) {
            long priority = integer(part.strip());
            if (priority < 0 || priority >= PRIORITY_COUNT) {
                throw new IllegalArgumentException("'" + part + "' is no priority, 0 to 7");
            }
            all.add(priority);
        }
        return String.join(",", all.stream().map(String::valueOf).toList());
    }
}
