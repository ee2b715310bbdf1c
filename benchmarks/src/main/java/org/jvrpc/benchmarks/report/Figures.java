package org.jvrpc.benchmarks.report;

import java.io.IOException;
import java.math.BigDecimal;
import java.math.MathContext;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Named numbers of a run: {@code <bench>.<who>.<statistic>}, the unit last. Written as one flat sorted JSON object. */
public final class Figures {

    private static final Pattern NAME = Pattern.compile("[a-z0-9-]+\\.[a-z0-9_-]+\\.[a-z0-9]+(_[a-z0-9]+)*");
    private static final Pattern LINE = Pattern.compile(" *\"([^\"]+)\": ([-+.0-9E]+),?");
    private static final MathContext DIGITS = new MathContext(6);

    private final SortedMap<String, Double> values = new TreeMap<>();

    /** Notes a number; a name is noted once. */
    public void put(String bench, String who, String statistic, double value) {
        String name = bench + '.' + who + '.' + statistic;
        if (!NAME.matcher(name).matches()) {
            throw new IllegalArgumentException("not a figure name: " + name);
        }
        if (!Double.isFinite(value)) {
            throw new IllegalArgumentException("not a number: figure=" + name + " value=" + value);
        }
        if (values.putIfAbsent(name, value) != null) {
            throw new IllegalArgumentException("figure noted twice: " + name);
        }
    }

    /** Notes the five statistics of a summary. */
    public void put(String bench, String who, Summary summary) {
        put(bench, who, "p50_ns", summary.p50());
        put(bench, who, "p90_ns", summary.p90());
        put(bench, who, "p99_ns", summary.p99());
        put(bench, who, "p999_ns", summary.p999());
        put(bench, who, "max_ns", summary.max());
    }

    /** Returns the figures by name. */
    public SortedMap<String, Double> values() {
        return values;
    }

    /** Returns one flat object, a figure on each line. */
    public String toJson() {
        StringBuilder json = new StringBuilder("{");
        String separator = "\n";
        for (Map.Entry<String, Double> entry : values.entrySet()) {
            json.append(separator).append("  \"").append(entry.getKey()).append("\": ")
                    .append(number(entry.getValue()));
            separator = ",\n";
        }
        return json.append("\n}\n").toString();
    }

    private static String number(double value) {
        if (value == Math.rint(value) && Math.abs(value) < 1e15) {
            return Long.toString((long) value);
        }
        return new BigDecimal(value).round(DIGITS).stripTrailingZeros().toPlainString();
    }

    /** Reads what {@link #write} has written. */
    public static SortedMap<String, Double> read(Path file) throws IOException {
        SortedMap<String, Double> figures = new TreeMap<>();
        for (String line : Files.readAllLines(file)) {
            Matcher matcher = LINE.matcher(line);
            if (matcher.matches()) {
                figures.put(matcher.group(1), Double.parseDouble(matcher.group(2)));
            }
        }
        return figures;
    }

    /** Notes the figures of another run, but for names that are noted already. */
    public void putAll(Map<String, Double> figures) {
        figures.forEach(values::putIfAbsent);
    }

    /** Writes the JSON to a file. */
    public void write(Path file) throws IOException {
        Files.writeString(file, toJson());
    }
}
