package org.jvrpc.watch.rperf.control;

import java.util.List;
import java.util.stream.Collectors;
import org.jvrpc.watch.rperf.LoadPattern;

/**
 * What an agent is to measure.
 *
 * @param to address of the peer's device
 * @param qps 1 to {@value #MOST_QPS}
 * @param loopback false: over the wire alone
 * @param warmUpNs 0 to an hour
 * @param durationNs 1 ms to an hour
 * @param levels service levels, 0 to {@value #MOST_LEVEL}, that the QPs take in turn: one to as many as there are QPs
 */
public record Order(String to, int qps, boolean loopback, LoadPattern pattern, long warmUpNs, long durationNs,
        List<Integer> levels) {

    public static final int MOST_QPS = 64;
    public static final int MOST_LEVEL = 7;
    /** Of QPs that ask for nothing. */
    public static final List<Integer> NO_LEVELS = List.of(0);

    private static final int MOST_ADDRESS = 256;
    private static final long LEAST_NS = 1_000_000;

    /** Checks the values. @throws IllegalArgumentException with the one that is out of range */
    public Order {
        if (to == null || to.isEmpty() || to.length() > MOST_ADDRESS || !to.contains("://")) {
            throw new IllegalArgumentException("to is no address, such as roce://10.0.0.2:7471, to=" + to);
        }
        check("qps", qps, 1, MOST_QPS);
        check("warmUpNs", warmUpNs, 0, LoadPattern.LONGEST_NS);
        check("durationNs", durationNs, LEAST_NS, LoadPattern.LONGEST_NS);
        check("levels", levels.size(), 1, qps);
        levels.forEach(level -> check("sl", level, 0, MOST_LEVEL));
        levels = List.copyOf(levels);
    }

    /** Makes one without service levels. */
    public Order(String to, int qps, boolean loopback, LoadPattern pattern, long warmUpNs, long durationNs) {
        this(to, qps, loopback, pattern, warmUpNs, durationNs, NO_LEVELS);
    }

    private static void check(String name, long value, long least, long most) {
        if (value < least || value > most) {
            throw new IllegalArgumentException(name + " must be " + least + " to " + most + ", " + name + "=" + value);
        }
    }

    Fields fields() {
        return new Fields().put("to", to).put("qps", qps).put("loopback", loopback ? 1 : 0)
                .put("bytes", pattern.bytes()).put("outstanding", pattern.outstanding())
                .put("burst", pattern.burst()).put("periodNs", pattern.periodNs()).put("onNs", pattern.onNs())
                .put("offNs", pattern.offNs()).put("warmUpNs", warmUpNs).put("durationNs", durationNs)
                .put("sl", levelWords());
    }

    /** Returns the levels as a word; null for {@link #NO_LEVELS}. */
    String levelWords() {
        return levels.equals(NO_LEVELS) ? null
                : levels.stream().map(String::valueOf).collect(Collectors.joining(","));
    }

    private static List<Integer> levels(String words) {
        if (words == null) {
            return NO_LEVELS;
        }
        if (!words.matches("[0-7](,[0-7])*")) {
            throw new IllegalArgumentException("sl are service levels 0 to " + MOST_LEVEL + ", sl=" + words);
        }
        return words.chars().filter(c -> c != ',').mapToObj(c -> c - '0').toList();
    }

    static Order of(Fields fields) {
        LoadPattern pattern = new LoadPattern((int) fields.number("bytes", 1, LoadPattern.MOST_BYTES),
                (int) fields.number("outstanding", 1, LoadPattern.MOST_OUTSTANDING),
                (int) fields.number("burst", 1, LoadPattern.MOST_OUTSTANDING),
                fields.real("periodNs", 0, LoadPattern.LONGEST_NS), fields.number("onNs", 0, LoadPattern.LONGEST_NS),
                fields.number("offNs", 0, LoadPattern.LONGEST_NS));
        return new Order(fields.text("to", MOST_ADDRESS), (int) fields.number("qps", 1, MOST_QPS),
                fields.number("loopback", 0, 1) == 1, pattern, fields.number("warmUpNs", 0, LoadPattern.LONGEST_NS),
                fields.number("durationNs", LEAST_NS, LoadPattern.LONGEST_NS),
                levels(fields.text("sl", 2 * MOST_QPS)));
    }
}
