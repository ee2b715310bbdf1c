package org.jvrpc.benchmarks.page;

import java.awt.Color;
import java.awt.Font;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import org.knowm.xchart.BitmapEncoder;
import org.knowm.xchart.CategoryChart;
import org.knowm.xchart.CategoryChartBuilder;
import org.knowm.xchart.style.CategoryStyler;
import org.knowm.xchart.style.Styler.LegendPosition;

/** Bars for each contender: times of a call on a logarithmic axis, or calls a second. One thread. */
final class Chart {

    private static final int WIDTH = 960;
    private static final int HEIGHT = 440;
    private static final Color[] COLORS = {new Color(0x2f6f9f), new Color(0xa8c8e0), new Color(0xe0a030)};
    /** Contenders whose names stand beside each other; more are turned. */
    private static final int LEVEL = 5;
    private static final int TURN = 40;
    /** The part of the width that bars take. */
    private static final double SPACE = 0.8;

    private Chart() {
    }

    /**
     * Draws a chart.
     *
     * @param statistics that become series; all of {@code who} have the first
     * @param unit of the axis
     * @param divisor of the values, to get there
     * @param logarithmic whether the axis is, for values that are far apart
     */
    static void write(Path file, Rows rows, List<String> who, List<String> statistics, String unit, double divisor,
            boolean logarithmic) throws IOException {
        System.setProperty("java.awt.headless", "true");
        CategoryChart chart = new CategoryChartBuilder().width(WIDTH).height(HEIGHT).title(rows.bench())
                .yAxisTitle(unit).build();
        style(chart.getStyler(), who.size());
        for (String statistic : statistics) {
            List<Double> values = who.stream()
                    .map(name -> rows.byWho().get(name).getOrDefault(statistic, 0.0) / divisor).toList();
            chart.addSeries(statistic.replaceFirst("_(ns|per_s)$", ""), who, values);
        }
        chart.getStyler().setYAxisLogarithmic(logarithmic);
        double least = who.stream().mapToDouble(name -> rows.value(name, statistics.get(0)) / divisor).min().orElse(1);
        chart.getStyler().setYAxisMin(logarithmic ? Math.pow(10, Math.floor(Math.log10(least))) : 0);
        try (OutputStream out = Files.newOutputStream(file)) {
            BitmapEncoder.saveBitmap(List.of(chart), 1, 1, out, BitmapEncoder.BitmapFormat.PNG);
        }
    }

    private static void style(CategoryStyler styler, int contenders) {
        styler.setLocale(Locale.ROOT).setChartBackgroundColor(Color.WHITE)
                .setPlotBorderVisible(false).setChartTitleBoxVisible(false).setSeriesColors(COLORS)
                .setChartTitleFont(new Font(Font.SANS_SERIF, Font.BOLD, 15))
                .setLegendPosition(LegendPosition.InsideNW).setLegendBorderColor(Color.WHITE);
        styler.setXAxisLabelRotation(contenders > LEVEL ? TURN : 0);
        styler.setPlotGridVerticalLinesVisible(false);
        styler.setAvailableSpaceFill(SPACE);
    }
}
