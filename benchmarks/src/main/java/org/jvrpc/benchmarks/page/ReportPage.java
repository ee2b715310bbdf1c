package org.jvrpc.benchmarks.page;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jvrpc.benchmarks.report.Format;

/** Writes a report: a Markdown page with the host, the commands, charts and all figures. One thread. */
public final class ReportPage {

    private static final double NS_PER_US = 1000;
    private static final double MILLION = 1e6;
    private static final String P50 = "p50_ns";
    private static final String RATE = "ops_per_s";
    private static final List<String> TIMES = List.of(P50, "p50_q1_ns", "p50_q3_ns", "p90_ns", "p99_ns", "p999_ns",
            "max_ns");
    private static final String RATIO = "p50_limit_ratio";

    private final List<String> lines = new ArrayList<>();
    private final Path images;
    private final String link;

    private ReportPage(Path images, String link) {
        this.images = images;
        this.link = link;
    }

    /**
     * Writes the page and its images; what was there is replaced.
     *
     * @param page the file
     * @param images the folder of the charts
     * @param host what the figures were measured on
     * @param commands what measured them
     * @param figures by their names, {@code <bench>.<who>.<statistic>}
     */
    public static void write(Path page, Path images, String host, List<String> commands, Map<String, Double> figures)
            throws IOException {
        if (figures.isEmpty()) {
            throw new IllegalArgumentException("there are no figures to report");
        }
        Files.createDirectories(images);
        Path folder = page.toAbsolutePath().normalize().getParent();
        Files.createDirectories(folder);
        ReportPage report = new ReportPage(images, folder.relativize(images.toAbsolutePath().normalize()).toString());
        report.head(host, commands);
        for (Rows rows : Rows.of(figures)) {
            report.bench(rows);
        }
        Files.write(page, report.lines);
    }

    private void head(String host, List<String> commands) {
        add("# Benchmark report", "", "Written by `benchmarks/report`. Compare ratios, not nanoseconds:"
                + " how figures come about, and what disturbs them, stands in `benchmarks/README.md`.", "");
        add("**Host**: " + host + ".", "", "**Commands**:", "", "```");
        lines.addAll(commands);
        add("```", "");
    }

    private void bench(Rows rows) throws IOException {
        add("## " + rows.bench(), "");
        List<String> timed = rows.whoHave(P50);
        if (!timed.isEmpty()) {
            picture(rows, timed, List.of(P50, "p99_ns"), "microseconds a call, p50 and p99", NS_PER_US);
            times(rows, timed);
        }
        List<String> rated = rows.whoHave(RATE);
        if (!rated.isEmpty()) {
            picture(rows, rated, List.of(RATE), "millions of calls a second", MILLION);
        }
        others(rows);
    }

    private void picture(Rows rows, List<String> who, List<String> statistics, String unit, double divisor)
            throws IOException {
        String file = rows.bench() + '-' + statistics.get(0).replaceFirst("_.*", "") + ".png";
        Chart.write(images.resolve(file), rows, who, statistics, unit, divisor, divisor == NS_PER_US);
        add("![" + rows.bench() + ", " + unit + "](" + link + (link.isEmpty() ? "" : "/") + file + ')', "");
    }

    private void times(Rows rows, List<String> who) {
        add("| | p50 | quartiles of the rounds' p50 | p90 | p99 | p99.9 | max | p50 / limit |",
                "|---|---|---|---|---|---|---|---|");
        for (String name : who) {
            Map<String, Double> values = rows.byWho().get(name);
            Stream<String> cells = Stream.of(time(values, P50), quartiles(values), time(values, "p90_ns"),
                    time(values, "p99_ns"), time(values, "p999_ns"), time(values, "max_ns"),
                    values.containsKey(RATIO) ? String.format(Locale.ROOT, "%.2f", values.get(RATIO)) : "");
            add("| " + name + " | " + cells.collect(Collectors.joining(" | ")) + " |");
        }
        add("");
    }

    private static String quartiles(Map<String, Double> values) {
        String first = time(values, "p50_q1_ns");
        return first.isEmpty() ? "" : first + " to " + time(values, "p50_q3_ns");
    }

    private static String time(Map<String, Double> values, String statistic) {
        return values.containsKey(statistic) ? Format.duration(values.get(statistic)) : "";
    }

    private void others(Rows rows) {
        List<String> known = new ArrayList<>(TIMES);
        known.add(RATIO);
        List<String> others = rows.others(known);
        if (!others.isEmpty()) {
            add("| figure | value |", "|---|---|");
            for (String name : others) {
                int point = name.indexOf('.');
                double value = rows.value(name.substring(0, point), name.substring(point + 1));
                add("| " + name + " | " + String.format(Locale.ROOT, value < 100 ? "%.3f" : "%,.0f", value) + " |");
            }
            add("");
        }
    }

    private void add(String... more) {
        lines.addAll(List.of(more));
    }
}
