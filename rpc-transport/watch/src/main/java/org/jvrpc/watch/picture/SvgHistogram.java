package org.jvrpc.watch.picture;

import java.util.List;
import java.util.Locale;

/**
 * Histograms of times as one SVG, one below the other over the same logarithmic axis, with marks at some times. Each is
 * as high as its fullest column.
 */
public final class SvgHistogram {

    /**
     * One histogram.
     *
     * @param valuesNs above 0, in order
     * @param counts of each
     */
    public record Panel(String title, long[] valuesNs, long[] counts, List<Mark> marks) {
    }

    /** A line at a time. */
    public record Mark(String name, long ns) {
    }

    private static final int WIDTH = 960;
    private static final int LEFT = 60;
    private static final int RIGHT = 20;
    private static final int TOP = 40;
    private static final int PANEL = 180;
    private static final int BARS = 120;
    private static final int BOTTOM = 40;
    /** Columns of the picture. */
    private static final int COLUMNS = 220;
    /** Least span of the axis: values that are all alike have room around them. */
    private static final double LEAST_SPAN = 1.2;

    private final StringBuilder out = new StringBuilder();
    private final double low;
    private final double high;

    private SvgHistogram(double low, double high) {
        this.low = low;
        this.high = high;
    }

    /** Returns the SVG. */
    public static String of(String title, List<Panel> panels) {
        double least = Double.MAX_VALUE;
        double most = 0;
        for (Panel panel : panels) {
            for (long value : panel.valuesNs()) {
                least = Math.min(least, value);
                most = Math.max(most, value);
            }
        }
        if (most == 0) {
            least = 1;
            most = 1;
        }
        if (most / least < LEAST_SPAN) {
            double middle = Math.sqrt(most * least);
            least = middle / Math.sqrt(LEAST_SPAN);
            most = middle * Math.sqrt(LEAST_SPAN);
        }
        return new SvgHistogram(least, most).draw(title, panels);
    }

    private String draw(String title, List<Panel> panels) {
        int height = TOP + panels.size() * PANEL + BOTTOM;
        add("<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" viewBox=\"0 0 %d %d\""
                + " font-family=\"sans-serif\" font-size=\"12\">%n", WIDTH, height, WIDTH, height);
        add("<rect width=\"100%%\" height=\"100%%\" fill=\"#fff\"/>%n");
        text(LEFT, TOP - 18, "start", 15, title);
        for (int i = 0; i < panels.size(); i++) {
            panel(panels.get(i), TOP + i * PANEL);
        }
        axis(TOP, TOP + panels.size() * PANEL);
        return out.append("</svg>\n").toString();
    }

    private void panel(Panel panel, int top) {
        double[] columns = new double[COLUMNS];
        double most = 0;
        double total = 0;
        for (int i = 0; i < panel.counts().length; i++) {
            int column = (int) Math.min(COLUMNS - 1, position(panel.valuesNs()[i]) * COLUMNS);
            columns[column] += panel.counts()[i];
            most = Math.max(most, columns[column]);
            total += panel.counts()[i];
        }
        int base = top + PANEL - 20;
        double width = (double) (WIDTH - LEFT - RIGHT) / COLUMNS;
        for (int i = 0; i < COLUMNS; i++) {
            if (columns[i] > 0) {
                double height = Math.max(1, columns[i] / most * BARS);
                add("<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" fill=\"#0072b2\"/>%n",
                        LEFT + i * width, base - height, width, height);
            }
        }
        add("<line x1=\"%d\" y1=\"%d\" x2=\"%d\" y2=\"%d\" stroke=\"#000\"/>%n", LEFT, base, WIDTH - RIGHT, base);
        text(LEFT - 6, base - BARS + 8, "end", 11, total == 0 ? "" : percent(most / total));
        text(LEFT - 6, base, "end", 11, "0");
        text(LEFT, top + 12, "start", 13, panel.title());
        int row = 0;
        for (Mark mark : panel.marks()) {
            if (mark.ns() > 0) {
                mark(mark, base, row++ % 4);
            }
        }
    }

    private void mark(Mark mark, int base, int row) {
        double x = LEFT + Math.max(0, Math.min(1, position(mark.ns()))) * (WIDTH - LEFT - RIGHT);
        boolean right = x > WIDTH * 0.75;
        add("<line x1=\"%.1f\" y1=\"%d\" x2=\"%.1f\" y2=\"%d\" stroke=\"#d55e00\"/>%n", x, base - BARS - 8, x, base);
        text(x + (right ? -4 : 4), base - BARS + row * 14, right ? "end" : "start", 11,
                mark.name() + " " + time(mark.ns()));
    }

    private double position(double ns) {
        return Math.log(ns / low) / Math.log(high / low);
    }

    /** Round times, at most some dozen. */
    private void axis(int top, int base) {
        double[] steps = high / low > 30 ? new double[] {1, 3} : new double[] {1, 1.2, 1.5, 2, 2.5, 3, 4, 5, 6, 8};
        for (double decade = Math.pow(10, Math.floor(Math.log10(low))); decade <= high; decade *= 10) {
            for (double step : steps) {
                double ns = decade * step;
                if (ns >= low && ns <= high) {
                    double x = LEFT + position(ns) * (WIDTH - LEFT - RIGHT);
                    add("<line x1=\"%.1f\" y1=\"%d\" x2=\"%.1f\" y2=\"%d\" stroke=\"#ccc\""
                            + " stroke-dasharray=\"2 3\"/>%n", x, top, x, base);
                    text(x, base + 16, "middle", 11, time(ns));
                }
            }
        }
    }

    private static String percent(double share) {
        return String.format(Locale.ROOT, "%.1f %%", share * 100);
    }

    private static String time(double ns) {
        String text = ns < 1e3 ? String.format(Locale.ROOT, "%.3g ns", ns)
                : ns < 1e6 ? String.format(Locale.ROOT, "%.4g us", ns / 1e3)
                : String.format(Locale.ROOT, "%.4g ms", ns / 1e6);
        return text.replaceFirst("(\\.\\d*?)0+ ", "$1 ").replace(". ", " ");
    }

    private void text(double x, double y, String anchor, int size, String words) {
        add("<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\" font-size=\"%d\">", x, y, anchor, size);
        for (int i = 0; i < words.length(); i++) {
            char c = words.charAt(i);
            switch (c) {
                case '<' -> out.append("&lt;");
                case '>' -> out.append("&gt;");
                case '&' -> out.append("&amp;");
                default -> out.append(c < ' ' || Character.isSurrogate(c) || c >= 0xfffe ? '?' : c);
            }
        }
        out.append("</text>\n");
    }

    private void add(String format, Object... values) {
        out.append(String.format(Locale.ROOT, format, values));
    }
}
