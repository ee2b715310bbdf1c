package org.jvrpc.tools.watch.rperf;

import java.awt.Color;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jvrpc.watch.rperf.Distribution;
import org.jvrpc.watch.rperf.ResultPicture;
import org.jvrpc.watch.rperf.RperfResult;
import org.knowm.xchart.BitmapEncoder;
import org.knowm.xchart.XYChart;
import org.knowm.xchart.XYChartBuilder;
import org.knowm.xchart.XYSeries;
import org.knowm.xchart.style.Styler.LegendPosition;
import org.knowm.xchart.style.markers.SeriesMarkers;

/** Histograms as one PNG: steps over a logarithmic axis of time. */
final class HistogramPng {

    private static final int WIDTH = 960;
    private static final int HEIGHT = 320;
    private static final int COLUMNS = 200;
    private static final double NS_PER_US = 1e3;
    private static final double NARROWEST = 1.2;

    private HistogramPng() {
    }

    static void write(List<RperfResult> results, Path file) throws IOException {
        System.setProperty("java.awt.headless", "true");
        List<XYChart> charts = new ArrayList<>();
        results.stream().limit(ResultPicture.MOST).forEach(result -> charts.add(chart(result)));
        try (OutputStream out = Files.newOutputStream(file)) {
            BitmapEncoder.saveBitmap(charts, charts.size(), 1, out, BitmapEncoder.BitmapFormat.PNG);
        }
    }

    private static XYChart chart(RperfResult result) {
        XYChart chart = new XYChartBuilder().width(WIDTH).height(HEIGHT).title(ResultPicture.title(result))
                .xAxisTitle("us").yAxisTitle("% of samples").build();
        chart.getStyler().setLocale(Locale.ROOT).setLegendPosition(LegendPosition.InsideNE).setLegendVisible(false)
                .setChartBackgroundColor(Color.WHITE).setSeriesColors(new Color[] {new Color(0x0072b2)});
        chart.getStyler().setXAxisLogarithmic(true).setYAxisMin(0.0);
        chart.getStyler().setDefaultSeriesRenderStyle(XYSeries.XYSeriesRenderStyle.StepArea);
        add(chart, result.distribution());
        return chart;
    }

    private static void add(XYChart chart, Distribution all) {
        long[] values = all.valuesNs();
        double low = values.length == 0 ? 1 : values[0];
        double high = values.length == 0 ? 2 : Math.max(values[values.length - 1], low * NARROWEST);
        double[] columns = new double[COLUMNS + 1];
        long total = Math.max(1, all.total());
        for (int i = 0; i < values.length; i++) {
            int column = (int) Math.min(COLUMNS - 1, Math.log(values[i] / low) / Math.log(high / low) * COLUMNS);
            columns[column] += 100.0 * all.counts()[i] / total;
        }
        double[] times = new double[COLUMNS + 1];
        for (int i = 0; i <= COLUMNS; i++) {
            times[i] = low * Math.pow(high / low, (double) i / COLUMNS) / NS_PER_US;
        }
        chart.addSeries("rtt", times, columns).setMarker(SeriesMarkers.NONE);
    }
}
