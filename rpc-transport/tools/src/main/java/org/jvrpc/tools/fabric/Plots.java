package org.jvrpc.tools.fabric;

import java.awt.Color;
import java.io.IOException;
import java.io.OutputStream;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jvrpc.fabric.trace.Recorder;
import org.jvrpc.fabric.trace.Series;
import org.knowm.xchart.BitmapEncoder;
import org.knowm.xchart.XYChart;
import org.knowm.xchart.XYChartBuilder;
import org.knowm.xchart.XYSeries;
import org.knowm.xchart.style.Styler.LegendPosition;
import org.knowm.xchart.style.lines.SeriesLines;
import org.knowm.xchart.style.markers.SeriesMarkers;

/** Queues, pauses, windows and rates of a recording as pictures. */
final class Plots {

    private static final int WIDTH = 1280;
    private static final int HEIGHT = 480;
    private static final int LINES = 8;
    private static final float THICKNESS = 1.5f;
    private static final double NS_PER_MS = 1e6;
    private static final Color[] COLOURS = {new Color(0x0072b2), new Color(0xd55e00), new Color(0x009e73),
        new Color(0xcc79a7), new Color(0xe69f00), new Color(0x56b4e9), new Color(0x7a5195), new Color(0x555555)};

    private Plots() {
    }

    /** Writes them. */
    static void write(Recorder recorder, String title, OutputFolder files) throws IOException {
        System.setProperty("java.awt.headless", "true");
        double[] times = Arrays.stream(recorder.timesNs()).mapToDouble(ns -> ns / NS_PER_MS).toArray();
        if (times.length == 0) {
            return;
        }
        draw(files, "stored.png", title, "bytes stored", times, recorder.stored());
        draw(files, "queues.png", title, "bytes queued at a port", times, recorder.queued());
        draw(files, "pauses.png", title, "percent of the time that a port was paused", times, recorder.paused());
        draw(files, "rates.png", title, "Gb/s of a port", times, recorder.rates());
        draw(files, "windows.png", title, "packets of a QP not acknowledged", times, recorder.windows());
    }

    private static void draw(OutputFolder files, String name, String title, String unit, double[] times,
            List<Series> all) throws IOException {
        XYChart chart = new XYChartBuilder().width(WIDTH).height(HEIGHT).title(title).xAxisTitle("ms").yAxisTitle(unit)
                .build();
        chart.getStyler().setLocale(Locale.ROOT).setLegendPosition(LegendPosition.OutsideE)
                .setChartBackgroundColor(Color.WHITE).setSeriesColors(COLOURS);
        chart.getStyler().setXAxisDecimalPattern("#,##0.0##");
        chart.getStyler().setYAxisMin(0.0).setXAxisMin(times[0]).setXAxisMax(times[times.length - 1]);
        List<Series> highest = Series.highest(all, LINES);
        Set<String> labels = new HashSet<>();
        for (int i = 0; i < highest.size(); i++) {
            String label = highest.get(i).name();
            while (!labels.add(label)) {
                label += "'";
            }
            line(chart.addSeries(label, times, highest.get(i).values()));
        }
        if (highest.isEmpty()) {
            line(chart.addSeries("always 0", times, new double[times.length]));
        }
        try (OutputStream out = files.file(name)) {
            BitmapEncoder.saveBitmap(List.of(chart), 1, 1, out, BitmapEncoder.BitmapFormat.PNG);
        }
    }

    private static void line(XYSeries series) {
        series.setMarker(SeriesMarkers.NONE).setLineStyle(SeriesLines.SOLID).setLineWidth(THICKNESS);
    }
}
