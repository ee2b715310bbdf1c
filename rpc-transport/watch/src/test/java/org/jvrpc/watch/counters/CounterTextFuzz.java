package org.jvrpc.watch.counters;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;
import org.jvrpc.testing.fuzz.FuzzCheck;
import org.jvrpc.watch.CounterSource;
import org.jvrpc.watch.Reading;
import org.jvrpc.watch.web.PrometheusText;

/**
 * Any text in UTF-8 as what programs and other processes say of counters: {@code how:8 | text}. By how it is that of
 * rdma (0), of ethtool (1), either with the driver's own names (2, 3), or served for Prometheus (4). Nothing is thrown;
 * there are readings, at most one for two characters, whose words can be shown; as metrics they are text that
 * Prometheus reads, and a counter of ours that is served is the same when it was read there and served again.
 */
final class CounterTextFuzz {

    private static final int LONGEST = 200;
    private static final Pattern SAMPLE = Pattern.compile(
            "[a-zA-Z_:][a-zA-Z0-9_:]*(\\{([a-z]+=\"([^\"\\\\\n]|\\\\[\\\\\"n])*+\",?)*})? [0-9.E+-]+");

    private CounterTextFuzz() {
    }

    public static void fuzzerTestOneInput(byte[] input) {
        if (input.length == 0) {
            return;
        }
        String text = new String(Arrays.copyOfRange(input, 1, input.length), StandardCharsets.UTF_8);
        int how = Math.floorMod(input[0], 5);
        List<Reading> readings = how == 4 ? ServedCounters.parse(text) : read(text, how % 2 == 0, how >= 2);
        FuzzCheck.that(readings.size() <= 1 + text.length() / 2, "readings=" + readings.size());
        for (Reading reading : readings) {
            for (String word : new String[] {reading.device(), reading.name(), reading.refusal()}) {
                FuzzCheck.that(word == null || word.length() <= Math.max(LONGEST, text.length())
                        && word.chars().noneMatch(c -> c < ' ' || c == 0x7f), reading);
            }
            FuzzCheck.that(reading.port() >= 0 && reading.unit() != null, reading);
        }
        String served = served(readings);
        served.lines().filter(line -> !line.startsWith("#"))
                .forEach(line -> FuzzCheck.that(SAMPLE.matcher(line).matches(), "no sample: " + line));
        List<Reading> again = ServedCounters.parse(served);
        FuzzCheck.that(served(again).equals(served(ServedCounters.parse(served(again)))), "served again: " + served);
    }

    private static List<Reading> read(String text, boolean rdma, boolean raw) {
        Tool tool = command -> Tool.Result.of(text);
        try (CounterSource source = rdma ? new RdmaStatistic(tool, "rxe0", "mlx5_core", raw)
                : new EthtoolCounters(tool, "eth0", "mlx5_0", 1, "mlx5_core", true, raw)) {
            return source.read();
        }
    }

    private static String served(List<Reading> readings) {
        CounterMetrics metrics = new CounterMetrics();
        metrics.update(readings.stream().map(reading -> new Counted(reading, "o", 64, 1)).toList(), List.of(),
                List.of());
        PrometheusText text = new PrometheusText();
        metrics.write(text);
        return text.toString().replaceFirst("# HELP jvrpc_watch_repeated[^#]*#[^#]*$", ""); // long names are cut alike
    }
}
