package org.jvrpc.watch.counters;

import java.io.IOException;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.net.ConnectException;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jvrpc.watch.CounterSource;
import org.jvrpc.watch.Reading;

/**
 * Counters that another process serves as text for Prometheus, as {@link CounterMetrics} writes it: those of a
 * {@code roce://} device are of its process alone. Reading takes five seconds in all and four MiB at most, and follows
 * no redirection. Lines that are no such counters are passed over.
 */
public final class ServedCounters implements CounterSource {

    private static final int MOST_BYTES = 4 << 20;
    /** Longer lines are passed over: regular expressions recurse. */
    private static final int MOST_LINE = 2_000;
    private static final int TIMEOUT_MS = 5_000;
    private static final int MOST_PORT = 999;
    private static final int MOST_TCP_PORT = 65_535;
    private static final Pattern LABEL = Pattern.compile("([a-zA-Z_][a-zA-Z0-9_]*)=\"((?:[^\"\\\\]|\\\\.)*+)\",?");
    private static final Pattern LINE = Pattern.compile("jvrpc_([a-zA-Z0-9_:]+)\\{(.*)} (\\S+)(?: \\S+)?");
    /** An exponent of many digits would be as long a number. */
    private static final Pattern NUMBER = Pattern.compile("[0-9]+(\\.[0-9]+)?([eE][+]?[0-9]{1,2})?");
    private static final BigInteger MOST_VALUE = BigInteger.ONE.shiftLeft(Long.SIZE).subtract(BigInteger.ONE);
    private static final String UNREADABLE = "counter_unreadable";

    private final URI from;
    private final int timeoutMs;

    private ServedCounters(URI from, int timeoutMs) {
        this.from = from;
        this.timeoutMs = timeoutMs;
    }

    /**
     * Makes a source.
     *
     * @param url as {@code http://10.0.0.7:9400/metrics}; without a path it is {@code /metrics}
     * @throws IllegalArgumentException when it is no such URL
     */
    public static ServedCounters from(String url) {
        return from(url, TIMEOUT_MS);
    }

    static ServedCounters from(String url, int timeoutMs) {
        URI uri = URI.create(url);
        if (!"http".equals(uri.getScheme()) || uri.getHost() == null
                || uri.getPort() > MOST_TCP_PORT) {
            throw new IllegalArgumentException("'" + Values.shown(url) + "' is not http://HOST[:PORT][/PATH]");
        }
        return new ServedCounters(uri.getPath().isEmpty() ? uri.resolve("/metrics") : uri, timeoutMs);
    }

    /** Returns {@code http://host:port}. */
    @Override
    public String origin() {
        return "http://" + from.getAuthority();
    }

    @Override
    public int bits(String name) {
        return Long.SIZE;
    }

    @Override
    public List<Reading> read() {
        try {
            return parse(TimedGet.body(from, timeoutMs, MOST_BYTES));
        } catch (IOException e) {
            return List.of(Reading.refused(from.getAuthority(), 0, "metrics", reason(e)));
        }
    }

    private String reason(IOException e) {
        return e instanceof ConnectException ? "nobody listens there: " + e.getMessage()
                : e instanceof SocketTimeoutException ? "no answer within " + timeoutMs + " ms"
                : e instanceof UnknownHostException ? "unknown host" : Values.reason(e);
    }

    static List<Reading> parse(String text) {
        List<Reading> readings = new ArrayList<>();
        for (String line : text.split("\n")) {
            Matcher matcher = LINE.matcher(line.strip());
            if (line.length() <= MOST_LINE && matcher.matches()) {
                add(readings, matcher.group(1), labels(matcher.group(2)), matcher.group(3));
            }
        }
        return readings;
    }

    private static void add(List<Reading> to, String metric, Map<String, String> labels, String value) {
        String device = labels.get("device");
        String port = labels.getOrDefault("port", "");
        if (device == null || !port.matches("[0-9]{1,3}")) {
            return; // another kind of metric
        }
        int number = Math.min(MOST_PORT, Integer.parseInt(port));
        String shown = Values.shown(device);
        if (metric.equals(UNREADABLE)) {
            to.add(Reading.refused(shown, number, Values.shown(labels.getOrDefault("counter", "?")),
                    Values.shown(labels.getOrDefault("why", "?"))));
        } else if (metric.endsWith(CounterMetrics.SUFFIX)) {
            String name = metric.substring(0, metric.length() - CounterMetrics.SUFFIX.length());
            to.add(counter(shown, number, name, value));
        }
    }

    private static Reading counter(String device, int port, String name, String value) {
        try {
            if (value.length() > 30 || !NUMBER.matcher(value).matches()) {
                throw new NumberFormatException();
            }
            double rough = Double.parseDouble(value);
            if (!(rough >= 0 && rough <= 0x1p64)) { // as which the last ones below it are served
                throw new NumberFormatException();
            }
            return Reading.of(device, port, name, new BigDecimal(value).toBigInteger().min(MOST_VALUE).longValue(),
                    CounterNames.unit(name));
        } catch (NumberFormatException e) {
            return Reading.refused(device, port, name, "no number: " + Values.shown(value));
        }
    }

    private static Map<String, String> labels(String text) {
        Map<String, String> labels = new HashMap<>();
        Matcher matcher = LABEL.matcher(text);
        while (matcher.lookingAt()) {
            labels.put(matcher.group(1), matcher.group(2).replace("\\n", " ").replaceAll("\\\\(.)", "$1"));
            matcher.region(matcher.end(), text.length());
        }
        return labels;
    }

    @Override
    public void close() {
        // holds nothing
    }
}
