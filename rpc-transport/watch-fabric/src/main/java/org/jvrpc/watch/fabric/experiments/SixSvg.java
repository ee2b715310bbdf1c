package org.jvrpc.watch.fabric.experiments;

import java.util.List;
import java.util.Locale;

/**
 * The experiments as one picture in SVG: a panel each, two bars a row, beside each other: first come, round robin. Bars
 * are medians, the lines above them reach to p99; the axis is logarithmic.
 */
public final class SixSvg {

    private static final int WIDTH = 460;
    private static final int HEIGHT = 300;
    private static final int COLUMNS = 2;
    private static final int HEAD = 56;
    private static final int LEFT = 56;
    private static final int RIGHT = 12;
    private static final int TOP = 34;
    private static final int BOTTOM = 46;
    private static final int FONT = 11;
    private static final double LEAST_NS = 50;
    private static final double MOST_NS = 500_000;
    private static final double BAR = 0.36;
    private static final int US = 1000;
    private static final int TEN_US = 10 * US;
    private static final String[] COLOURS = {"#0072b2", "#d55e00"};
    private static final String[] NAMES = {"first come", "round robin among ports"};

    private final StringBuilder out = new StringBuilder();

    private SixSvg() {
    }

    /** Returns the picture. */
    public static String of(List<SixExperiments.Panel> panels, String title) {
        SixSvg svg = new SixSvg();
        svg.draw(panels, title);
        return svg.out.toString();
    }

    private void draw(List<SixExperiments.Panel> panels, String title) {
        int rows = (panels.size() + COLUMNS - 1) / COLUMNS;
        int width = COLUMNS * WIDTH;
        int height = HEAD + rows * HEIGHT;
        print("<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" viewBox=\"0 0 %d %d\""
                + " font-family=\"sans-serif\" font-size=\"%d\">%n", width, height, width, height, FONT);
        print("<rect width=\"%d\" height=\"%d\" fill=\"#ffffff\"/>%n", width, height);
        text(LEFT, 20, "start", "font-weight=\"bold\"", title);
        for (int i = 0; i < NAMES.length; i++) {
            int x = LEFT + i * WIDTH / 2;
            print("<rect x=\"%d\" y=\"31\" width=\"10\" height=\"10\" fill=\"%s\"/>%n", x, COLOURS[i]);
            text(x + 16, 40, "start", "", NAMES[i] + ": median, line to p99");
        }
        for (int i = 0; i < panels.size(); i++) {
            print("<g transform=\"translate(%d %d)\">%n", i % COLUMNS * WIDTH, HEAD + i / COLUMNS * HEIGHT);
            panel(panels.get(i));
            print("</g>%n");
        }
        print("</svg>%n");
    }

    private void panel(SixExperiments.Panel panel) {
        text(LEFT, 18, "start", "font-weight=\"bold\"", panel.title());
        for (double tick = 100; tick < MOST_NS; tick *= 10) {
            print("<line x1=\"%d\" x2=\"%d\" y1=\"%.1f\" y2=\"%.1f\" stroke=\"#dddddd\"/>%n", LEFT, WIDTH - RIGHT,
                    y(tick), y(tick));
            text(LEFT - 6, y(tick) + 4, "end", "", time(tick));
        }
        double step = (double) (WIDTH - LEFT - RIGHT) / panel.rows().size();
        for (int i = 0; i < panel.rows().size(); i++) {
            SixExperiments.Row row = panel.rows().get(i);
            double middle = LEFT + step * (i + 0.5);
            bar(middle - step * BAR, step * BAR, row.firstCome(), COLOURS[0]);
            bar(middle, step * BAR, row.roundRobin(), COLOURS[1]);
            text(middle, HEIGHT - BOTTOM + 15, "middle", "", row.label());
        }
        print("<line x1=\"%d\" x2=\"%d\" y1=\"%d\" y2=\"%d\" stroke=\"#555555\"/>%n", LEFT, WIDTH - RIGHT,
                HEIGHT - BOTTOM, HEIGHT - BOTTOM);
        text(LEFT + (WIDTH - LEFT - RIGHT) / 2.0, HEIGHT - BOTTOM + 31, "middle", "fill=\"#555555\"", panel.axis());
    }

    private void bar(double x, double width, Measured measured, String colour) {
        double top = y(measured.p50Ns());
        print("<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" fill=\"%s\"/>%n", x + 1, top, width - 2,
                HEIGHT - BOTTOM - top, colour);
        double middle = x + width / 2;
        double high = y(measured.p99Ns());
        print("<line x1=\"%.1f\" x2=\"%.1f\" y1=\"%.1f\" y2=\"%.1f\" stroke=\"#333333\" stroke-width=\"1.5\"/>%n",
                middle, middle, top, high);
        text(middle, high - 4, "middle", "font-size=\"9\" paint-order=\"stroke\" stroke=\"#ffffff\""
                + " stroke-width=\"2.5\"", time(measured.p50Ns()));
    }

    private static double y(double ns) {
        double share = Math.log(Math.max(ns, LEAST_NS) / LEAST_NS) / Math.log(MOST_NS / LEAST_NS);
        return HEIGHT - BOTTOM - Math.min(1, share) * (HEIGHT - BOTTOM - TOP);
    }

    /** 95 ns, 1 us, 1.25 us, 70 us. */
    static String time(double ns) {
        return ns < US ? String.format(Locale.ROOT, "%.0f ns", ns)
                : String.format(Locale.ROOT, ns < TEN_US && ns % US != 0 ? "%.3g us" : "%.0f us", ns / US);
    }

    private void text(double x, double y, String anchor, String more, String words) {
        print("<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\" %s>", x, y, anchor, more);
        out.append(words.replace("&", "&amp;").replace("<", "&lt;")).append("</text>\n");
    }

    private void print(String format, Object... values) {
        out.append(String.format(Locale.ROOT, format.replace("%n", "\n"), values));
    }
}
