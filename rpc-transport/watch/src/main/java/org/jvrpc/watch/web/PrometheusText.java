package org.jvrpc.watch.web;

import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.jvrpc.watch.Metrics;

/**
 * The text that Prometheus reads, version 0.0.4: samples of one name stand together behind one HELP and one TYPE,
 * whatever order they come in. A second sample of one name and the same labels would make Prometheus refuse the whole
 * text: the first one stays, and {@code jvrpc_watch_repeated_samples} counts the others. One thread.
 *
 * @see <a href="https://prometheus.io/docs/instrumenting/exposition_formats/">Exposition formats</a>
 */
public final class PrometheusText implements Metrics {

    /** What the text is. */
    public static final String TYPE = "text/plain; version=0.0.4; charset=utf-8";

    private static final Pattern NAME = Pattern.compile("[a-zA-Z_:][a-zA-Z0-9_:]*");
    private static final Pattern LABEL = Pattern.compile("(?!__)[a-zA-Z_][a-zA-Z0-9_]*");
    private static final String REPEATED = "jvrpc_watch_repeated_samples";

    private record Family(String type, StringBuilder text) { }

    private final Map<String, Family> families = new LinkedHashMap<>();
    private final Set<String> seen = new HashSet<>();
    private long repeated;

    @Override
    public void gauge(String name, String help, double value, String... labels) {
        sample("gauge", name, help, value, labels);
    }

    @Override
    public void counter(String name, String help, double value, String... labels) {
        sample("counter", name, help, value, labels);
    }

    private void sample(String type, String name, String help, double value, String... labels) {
        if (!NAME.matcher(name).matches() || name.equals(REPEATED)) {
            throw new IllegalArgumentException("name=" + name + " is none of a metric, or taken");
        }
        String key = name + labels(name, labels);
        Family family = families.computeIfAbsent(name, n -> new Family(type, head(n, help, type)));
        if (!family.type.equals(type)) {
            throw new IllegalArgumentException("name=" + name + " is a " + family.type + ", not a " + type);
        }
        if (!seen.add(key)) {
            repeated++;
            return;
        }
        family.text.append(key).append(' ').append(number(value)).append('\n');
    }

    private static StringBuilder head(String name, String help, String type) {
        return new StringBuilder("# HELP ").append(name).append(' ')
                .append(help.replace("\\", "\\\\").replace("\n", "\\n").replace('\r', ' ')).append("\n# TYPE ")
                .append(name).append(' ').append(type).append('\n');
    }

    private static String labels(String name, String... labels) {
        if (labels.length % 2 != 0) {
            throw new IllegalArgumentException("name=" + name + " has " + labels.length + " names and values");
        }
        if (labels.length == 0) {
            return "";
        }
        StringBuilder out = new StringBuilder("{");
        Set<String> names = new HashSet<>();
        for (int i = 0; i < labels.length; i += 2) {
            if (!LABEL.matcher(labels[i]).matches() || !names.add(labels[i])) {
                throw new IllegalArgumentException("label=" + labels[i] + " of " + name + " is none, or there twice");
            }
            out.append(i == 0 ? "" : ",").append(labels[i]).append("=\"");
            escape(labels[i + 1] == null ? "" : labels[i + 1], out);
            out.append('"');
        }
        return out.append('}').toString();
    }

    private static void escape(String value, StringBuilder to) {
        for (int i = 0; i < value.length(); i++) {
            char c = value.charAt(i);
            switch (c) {
                case '\\', '"' -> to.append('\\').append(c);
                case '\n' -> to.append("\\n");
                default -> to.append(c);
            }
        }
    }

    private static String number(double value) {
        if (Double.isNaN(value)) {
            return "NaN";
        }
        if (Double.isInfinite(value)) {
            return value > 0 ? "+Inf" : "-Inf";
        }
        long whole = (long) value;
        return whole == value && Math.abs(whole) < 1L << 53 ? Long.toString(whole) : Double.toString(value);
    }

    /** Returns the text; empty without samples. */
    @Override
    public String toString() {
        StringBuilder out = new StringBuilder();
        families.values().forEach(family -> out.append(family.text));
        if (repeated > 0) {
            out.append(head(REPEATED, "Samples that were left out, being there already.", "gauge"))
                    .append(REPEATED).append(' ').append(repeated).append('\n');
        }
        return out.toString();
    }
}
