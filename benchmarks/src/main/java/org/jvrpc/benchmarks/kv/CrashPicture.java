package org.jvrpc.benchmarks.kv;

import java.awt.Color;
import java.awt.Font;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;
import org.knowm.xchart.BitmapEncoder;
import org.knowm.xchart.XYChart;
import org.knowm.xchart.XYChartBuilder;
import org.knowm.xchart.XYSeries;
import org.knowm.xchart.XYSeries.XYSeriesRenderStyle;
import org.knowm.xchart.style.Styler.LegendLayout;
import org.knowm.xchart.style.Styler.LegendPosition;
import org.knowm.xchart.style.XYStyler;
import org.knowm.xchart.style.lines.SeriesLines;
import org.knowm.xchart.style.markers.SeriesMarkers;

/** Draws lanes one above the other: values a millisecond over time, from before the kill to after it. */
final class CrashPicture {

    static final Color FOUND = new Color(0x2f6f9f);
    static final Color MISSED = new Color(0xe0a030);
    static final Color OUTAGE = new Color(0xfbe3e3);
    static final Color KILL = new Color(0xc03030);
    static final Color BACK = new Color(0x2f8f4f);

    private static final int WIDTH = 1280;
    private static final int HEIGHT = 320;
    /** Of axis labels: lanes of different rates begin at the same place. */
    private static final int LABELS = 80;
    /** Pixels between begin and end, about. */
    private static final int PLOT = 1150;
    private static final int TICK = 100;
    /** The part of the height that tells of values missing. */
    private static final int MISSED_PART = 40;

    private final Lane lane;
    private final int fromMs;
    private final int toMs;
    private final double top;
    private final XYChart chart;

    private CrashPicture(Lane lane, int fromMs, int toMs) {
        this.lane = lane;
        this.fromMs = fromMs;
        this.toMs = toMs;
        top = Math.max(1, IntStream.range(fromMs, toMs).map(ms -> at(lane.found(), ms)).max().orElse(1));
        chart = new XYChartBuilder().width(WIDTH).height(HEIGHT).xAxisTitle("ms since the server was killed")
                .yAxisTitle("values a ms").build();
    }

    /** Draws. Time 0 is the kill. @param fromMs before it, negative @param toMs after it */
    static void write(Path file, List<Lane> lanes, int fromMs, int toMs) throws IOException {
        System.setProperty("java.awt.headless", "true");
        List<XYChart> charts = new ArrayList<>();
        for (Lane lane : lanes) {
            charts.add(new CrashPicture(lane, fromMs, toMs).draw());
        }
        try (OutputStream out = Files.newOutputStream(file)) {
            BitmapEncoder.saveBitmap(charts, charts.size(), 1, out, BitmapEncoder.BitmapFormat.PNG);
        }
    }

    private XYChart draw() {
        chart.setTitle(String.format(Locale.ROOT, "%s: %,d values, %d failed, %d missing, longest time without a value"
                + " %.2f ms (before the kill %.2f ms)", lane.name(), lane.answers(), lane.failures(), lane.misses(),
                lane.gapAfterMs(), lane.gapBeforeMs()));
        style(chart.getStyler());
        area("a ms without a value", OUTAGE, (from, to) -> least(from, to) == 0 ? top : 0);
        area("values found", FOUND, (from, to) -> mean(lane.found(), from, to));
        area("values missing", MISSED, (from, to) -> mean(lane.missed(), from, to) > 0 ? top / MISSED_PART : 0);
        mark("kill -9", KILL, 0);
        if (lane.back() >= 0 && lane.back() - lane.killed() < toMs) {
            mark("serves again", BACK, lane.back() - lane.killed());
        }
        return chart;
    }

    private void style(XYStyler styler) {
        styler.setXAxisMin((double) fromMs).setXAxisMax((double) toMs).setYAxisMin(0.0).setYAxisMax(top)
                .setXAxisTickMarkSpacingHint(TICK).setPlotGridLinesVisible(false);
        styler.setLocale(Locale.ROOT).setYAxisLeftWidthHint(LABELS).setPlotContentSize(1).setPlotBorderVisible(false)
                .setChartBackgroundColor(Color.WHITE).setChartTitleBoxVisible(false)
                .setChartTitleFont(new Font(Font.SANS_SERIF, Font.PLAIN, 14))
                .setLegendPosition(LegendPosition.OutsideS).setLegendLayout(LegendLayout.Horizontal)
                .setLegendBorderColor(Color.WHITE);
    }

    /** A number for some milliseconds. */
    private interface Height {
        double of(int fromMs, int untilMs);
    }

    /** Draws steps of a pixel or more, as one polygon: of areas and lines, thinner ones would run into one another. */
    private void area(String name, Color color, Height height) {
        int step = Math.max(1, (toMs - fromMs) / PLOT);
        int steps = (toMs - fromMs + step - 1) / step;
        double[] x = new double[2 * steps + 2];
        double[] y = new double[x.length];
        x[0] = fromMs;
        for (int i = 0; i < steps; i++) {
            int from = fromMs + i * step;
            int until = Math.min(from + step, toMs);
            x[2 * i + 1] = from;
            x[2 * i + 2] = until;
            y[2 * i + 1] = height.of(from, until);
            y[2 * i + 2] = y[2 * i + 1];
        }
        x[x.length - 1] = toMs;
        series(name, color, x, y, XYSeriesRenderStyle.PolygonArea).setLineStyle(SeriesLines.NONE);
    }

    private void mark(String name, Color color, double ms) {
        series(name, color, new double[] {ms, ms}, new double[] {0, top}, XYSeriesRenderStyle.Line).setLineWidth(2);
    }

    private XYSeries series(String name, Color color, double[] x, double[] y, XYSeriesRenderStyle style) {
        XYSeries series = chart.addSeries(name, x, y).setXYSeriesRenderStyle(style);
        series.setMarker(SeriesMarkers.NONE);
        series.setLineColor(color);
        series.setFillColor(color);
        return series;
    }

    private double mean(int[] counts, int from, int until) {
        double sum = 0;
        for (int ms = from; ms < until; ms++) {
            sum += at(counts, ms);
        }
        return sum / (until - from);
    }

    private int least(int from, int until) {
        int least = Integer.MAX_VALUE;
        for (int ms = from; ms < until; ms++) {
            least = Math.min(least, at(lane.found(), ms));
        }
        return least;
    }

    private int at(int[] counts, int ms) {
        int i = lane.killed() + ms;
        return i >= 0 && i < counts.length ? counts[i] : 0;
    }
}
