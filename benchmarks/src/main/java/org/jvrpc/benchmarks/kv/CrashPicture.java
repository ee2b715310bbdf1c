package org.jvrpc.benchmarks.kv;

import java.awt.BasicStroke;
import java.awt.Color;
import java.awt.Font;
import java.awt.Graphics2D;
import java.awt.RenderingHints;
import java.awt.image.BufferedImage;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import javax.imageio.ImageIO;

/** Draws lanes one above the other: values a millisecond over time, from before the kill to after it. */
final class CrashPicture {

    private static final int WIDTH = 1280;
    private static final int LANE = 200;
    private static final int LEFT = 90;
    private static final int RIGHT = 30;
    private static final int TOP = 60;
    private static final int BOTTOM = 50;
    private static final int GAP = 46;
    private static final int TICK_MS = 500;
    private static final Color BAR = new Color(0x2f6f9f);
    private static final Color MISSED = new Color(0xe0a030);
    private static final Color OUTAGE = new Color(0xfbe3e3);
    private static final Color KILL = new Color(0xc03030);
    private static final Color BACK = new Color(0x2f8f4f);
    private static final Color TEXT = new Color(0x303030);
    private static final Color GRID = new Color(0xd8d8d8);

    private final Graphics2D g;
    private final int fromMs;
    private final int toMs;

    private CrashPicture(Graphics2D g, int fromMs, int toMs) {
        this.g = g;
        this.fromMs = fromMs;
        this.toMs = toMs;
    }

    /** Draws. Time 0 is the kill. @param fromMs before it, negative @param toMs after it */
    static void write(Path file, String title, List<Lane> lanes, int fromMs, int toMs) throws IOException {
        System.setProperty("java.awt.headless", "true");
        int height = TOP + lanes.size() * (LANE + GAP) + BOTTOM;
        BufferedImage image = new BufferedImage(WIDTH, height, BufferedImage.TYPE_INT_RGB);
        Graphics2D g = image.createGraphics();
        try {
            g.setRenderingHint(RenderingHints.KEY_ANTIALIASING, RenderingHints.VALUE_ANTIALIAS_ON);
            g.setRenderingHint(RenderingHints.KEY_TEXT_ANTIALIASING, RenderingHints.VALUE_TEXT_ANTIALIAS_ON);
            g.setColor(Color.WHITE);
            g.fillRect(0, 0, WIDTH, height);
            CrashPicture picture = new CrashPicture(g, fromMs, toMs);
            picture.text(title, LEFT, 28, 17, Font.BOLD);
            for (int i = 0; i < lanes.size(); i++) {
                picture.lane(lanes.get(i), TOP + i * (LANE + GAP) + GAP / 2);
            }
            picture.axis(height - BOTTOM + 4);
        } finally {
            g.dispose();
        }
        ImageIO.write(image, "png", file.toFile());
    }

    private void text(String text, int x, int y, int size, int style) {
        g.setColor(TEXT);
        g.setFont(new Font(Font.SANS_SERIF, style, size));
        g.drawString(text, x, y);
    }

    private double x(double ms) {
        return LEFT + (ms - fromMs) / (toMs - fromMs) * (WIDTH - LEFT - RIGHT);
    }

    private void lane(Lane lane, int top) {
        int most = 1;
        for (int ms = fromMs; ms < toMs; ms++) {
            most = Math.max(most, at(lane.found(), lane.killed() + ms));
        }
        shadeOutages(lane, top);
        int columns = WIDTH - LEFT - RIGHT;
        for (int c = 0; c < columns; c++) {
            int from = lane.killed() + fromMs + c * (toMs - fromMs) / columns;
            int to = Math.max(from + 1, lane.killed() + fromMs + (c + 1) * (toMs - fromMs) / columns);
            bar(LEFT + c, top, mean(lane.found(), from, to) / most, BAR);
            if (mean(lane.missed(), from, to) > 0) {
                g.setColor(MISSED);
                g.fillRect(LEFT + c, top + LANE - 6, 1, 6);
            }
        }
        g.setColor(GRID);
        g.drawLine(LEFT, top + LANE, WIDTH - RIGHT, top + LANE);
        g.drawLine(LEFT, top, LEFT, top + LANE);
        mark(0, top, top, KILL, "kill -9");
        if (lane.back() >= 0 && lane.back() - lane.killed() < toMs) {
            mark(lane.back() - lane.killed(), top, top + 18, BACK, "serves again");
        }
        text(String.format(Locale.ROOT, "%s: %,d values, %d failed, %d missing, longest time without a value %.2f ms"
                + " (before the kill %.2f ms)", lane.name(), lane.answers(), lane.failures(), lane.misses(),
                lane.gapAfterMs(), lane.gapBeforeMs()), LEFT, top - 8, 13, Font.PLAIN);
        text(String.format(Locale.ROOT, "%,d", most), 14, top + 12, 11, Font.PLAIN);
        text("a ms", 14, top + 26, 11, Font.PLAIN);
    }

    private void shadeOutages(Lane lane, int top) {
        g.setColor(OUTAGE);
        for (int ms = fromMs; ms < toMs; ms++) {
            if (at(lane.found(), lane.killed() + ms) == 0) {
                int from = (int) x(ms);
                g.fillRect(from, top, Math.max(1, (int) x(ms + 1) - from), LANE);
            }
        }
    }

    private void bar(int x, int top, double part, Color color) {
        int height = (int) Math.round(part * LANE);
        g.setColor(color);
        g.fillRect(x, top + LANE - height, 1, height);
    }

    private void mark(int ms, int top, int labelTop, Color color, String what) {
        int x = (int) x(ms);
        g.setColor(color);
        g.setStroke(new BasicStroke(2));
        g.drawLine(x, top, x, top + LANE);
        g.setStroke(new BasicStroke(1));
        g.setFont(new Font(Font.SANS_SERIF, Font.PLAIN, 11));
        int width = g.getFontMetrics().stringWidth(what);
        g.setColor(Color.WHITE);
        g.fillRect(x + 3, labelTop + 2, width + 4, 14);
        g.setColor(color);
        g.drawString(what, x + 5, labelTop + 13);
    }

    private void axis(int y) {
        for (int ms = (fromMs + TICK_MS - 1) / TICK_MS * TICK_MS; ms <= toMs; ms += TICK_MS) {
            g.setColor(GRID);
            g.drawLine((int) x(ms), y - 8, (int) x(ms), y - 2);
            text(ms + " ms", (int) x(ms) - 18, y + 12, 11, Font.PLAIN);
        }
    }

    private static int at(int[] counts, int i) {
        return i >= 0 && i < counts.length ? counts[i] : 0;
    }

    private static double mean(int[] counts, int from, int to) {
        double sum = 0;
        for (int i = from; i < to; i++) {
            sum += at(counts, i);
        }
        return sum / (to - from);
    }
}
