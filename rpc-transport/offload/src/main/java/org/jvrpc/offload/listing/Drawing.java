package org.jvrpc.offload.listing;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jvrpc.offload.Program;
import org.jvrpc.offload.queue.ChainQueue;
import org.jvrpc.offload.wr.Modification;
import org.jvrpc.offload.wr.PlaceNames;
import org.jvrpc.offload.wr.TriggerRequest;
import org.jvrpc.offload.wr.WorkRequest;

/**
 * Draws a program as SVG: a column for each queue, those of messages first, a box for each WR, an arrow from each WR
 * to each that it changes. A dormant WR has a dashed border. Equal programs give equal bytes.
 */
public final class Drawing {

    private static final int CHARACTER = 7; // a little more than an average one is wide, pixels
    private static final int LINE = 15;
    private static final int PADDING = 6;
    private static final int GAP = 10;
    private static final int LANE = 9;
    private static final int MARGIN = 16;
    private static final int TITLE = 46;
    private static final int WRAP = 38;
    private static final Map<WorkRequest.Kind, String> FILLS = Map.of(
            WorkRequest.Kind.COPY, "#e3eefb",
            WorkRequest.Kind.ATOMIC, "#fbe6e3",
            WorkRequest.Kind.ORDER, "#eeeeee",
            WorkRequest.Kind.OTHER, "#fbf6dd");
    private static final Map<WorkRequest.Kind, String> STROKES = Map.of(
            WorkRequest.Kind.COPY, "#2b6cb0",
            WorkRequest.Kind.ATOMIC, "#c0392b",
            WorkRequest.Kind.ORDER, "#666666",
            WorkRequest.Kind.OTHER, "#a08000");

    private record Line(String text, String style) {
    }

    private static final class Box {
        final WorkRequest wr;
        final int column;
        final List<Line> lines;
        final List<Arrow> left = new ArrayList<>();
        final List<Arrow> right = new ArrayList<>();
        int y;

        Box(WorkRequest wr, int column, List<Line> lines) {
            this.wr = wr;
            this.column = column;
            this.lines = lines;
        }

        int height() {
            int arrows = Math.max(left.size(), right.size());
            return Math.max(lines.size() * LINE + 2 * PADDING, (arrows + 1) * LANE);
        }

        int yOf(Arrow arrow, List<Arrow> side) {
            return y + (side.indexOf(arrow) + 1) * height() / (side.size() + 1);
        }
    }

    private static final class Arrow {
        final Box from;
        final Box to;
        final int gutter;
        final int lastGutter;
        int lane;
        int lastLane;
        int bus = -1;

        Arrow(Box from, Box to) {
            this.from = from;
            this.to = to;
            this.gutter = to.column >= from.column ? from.column + 1 : from.column;
            this.lastGutter = to.column > from.column ? to.column : to.column + 1;
        }

        boolean leavesRight() {
            return gutter > from.column;
        }

        boolean entersRight() {
            return lastGutter > to.column;
        }
    }

    private final Program program;
    private final String title;
    private final List<String> names = new ArrayList<>();
    private final Map<WorkRequest, Box> boxes = new LinkedHashMap<>();
    private final List<Arrow> arrows = new ArrayList<>();
    private int[] lanes;
    private int[] columnX;
    private int[] columnWidth;
    private int[] gutterX;
    private int buses;
    private int top;
    private int height;

    private Drawing(Program program, String title) {
        this.program = program;
        this.title = title;
    }

    /** Returns the picture of a program. @param title what it does, a line */
    public static String svg(Program program, String title) {
        Drawing drawing = new Drawing(program, title);
        drawing.addBoxes();
        drawing.addArrows();
        drawing.measure();
        return drawing.write();
    }

    private void addBoxes() {
        for (ChainQueue queue : program.queues()) {
            addColumn(queue + " receive queue", program.triggers(queue));
        }
        for (ChainQueue queue : program.queues()) {
            addColumn(queue + " send queue, QP 0x" + Integer.toHexString(queue.number())
                    + (queue.isManaged() ? ", managed" : ""), program.sends(queue));
        }
    }

    private void addColumn(String name, List<WorkRequest> wrs) {
        if (wrs.isEmpty()) {
            return;
        }
        for (WorkRequest wr : wrs) {
            boxes.put(wr, new Box(wr, names.size(), lines(wr)));
        }
        names.add(name);
    }

    private List<Line> lines(WorkRequest wr) {
        List<Line> lines = new ArrayList<>();
        String flags = wr instanceof TriggerRequest ? "" : Disassembler.flags(wr);
        String head = wr.block() % Math.max(1, wr.queue().blocks()) + "  " + wr.verb() + "  " + flags;
        lines.add(new Line(head.strip(), "font-weight=\"bold\""));
        if (!wr.operands().isEmpty()) {
            Table.wrap(wr.operands(), WRAP).forEach(line -> lines.add(new Line(line, "")));
        }
        Set<String> changes = new LinkedHashSet<>();
        for (Modification modification : program.modifications()) {
            if (modification.target() == wr) {
                String field = PlaceNames.field(modification.field());
                changes.add(field.substring(wr.where().length() + 1) + " by " + modification.by().where());
            }
        }
        changes.forEach(change -> lines.add(new Line("→ " + change, "fill=\"#8e44ad\"")));
        if (!wr.comment().isEmpty()) {
            Table.wrap("; " + wr.comment(), WRAP).forEach(line -> lines.add(new Line(line, "fill=\"#777777\"")));
        }
        return lines;
    }

    private void addArrows() {
        Set<List<WorkRequest>> drawn = new LinkedHashSet<>();
        for (Modification modification : program.modifications()) {
            if (modification.by() != modification.target()
                    && drawn.add(List.of(modification.by(), modification.target()))) {
                arrows.add(new Arrow(boxes.get(modification.by()), boxes.get(modification.target())));
            }
        }
        lanes = new int[names.size() + 1];
        for (Arrow arrow : arrows) {
            (arrow.leavesRight() ? arrow.from.right : arrow.from.left).add(arrow);
            (arrow.entersRight() ? arrow.to.right : arrow.to.left).add(arrow);
            arrow.lane = lanes[arrow.gutter]++;
            arrow.lastLane = arrow.lane;
            if (arrow.lastGutter != arrow.gutter) {
                arrow.lastLane = lanes[arrow.lastGutter]++;
                arrow.bus = buses++;
            }
        }
    }

    private void measure() {
        int columns = names.size();
        columnX = new int[columns];
        columnWidth = new int[columns];
        gutterX = new int[columns + 1];
        for (Box box : boxes.values()) {
            for (Line line : box.lines) {
                int width = line.text.length() * CHARACTER + 2 * PADDING;
                columnWidth[box.column] = Math.max(columnWidth[box.column], width);
            }
        }
        int x = MARGIN;
        for (int column = 0; column < columns; column++) {
            gutterX[column] = x;
            x += column == 0 ? 0 : (lanes[column] + 2) * LANE; // no arrow goes left of the first
            columnX[column] = x;
            columnWidth[column] = Math.max(columnWidth[column], names.get(column).length() * CHARACTER);
            x += columnWidth[column];
        }
        gutterX[columns] = x;
        top = TITLE + LINE + (buses + 1) * LANE;
        int[] next = new int[columns];
        Arrays.fill(next, top);
        for (Box box : boxes.values()) {
            box.y = next[box.column];
            next[box.column] += box.height() + GAP;
            height = Math.max(height, next[box.column]);
        }
    }

    private int laneX(int gutter, int lane) {
        return gutterX[gutter] + (lane + 1) * LANE;
    }

    private String write() {
        int width = gutterX[names.size()] + (lanes[names.size()] + 2) * LANE + MARGIN;
        width = Math.max(width, (title.length() + program.name().length() + 24) * CHARACTER + 2 * MARGIN);
        StringBuilder svg = new StringBuilder();
        svg.append("<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"").append(width).append("\" height=\"")
                .append(height + MARGIN).append("\" font-family=\"monospace\" font-size=\"11\">\n");
        svg.append("<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n");
        text(svg, MARGIN, 24, "font-size=\"13\" font-weight=\"bold\"", program.name() + ": " + title);
        text(svg, MARGIN, 40, "fill=\"#555555\"",
                (program.isRecycled() ? "recycled, a lap: " : "") + program.counts());
        for (int column = 0; column < names.size(); column++) {
            text(svg, columnX[column], TITLE + LINE, "font-weight=\"bold\"", names.get(column));
        }
        boxes.values().forEach(box -> write(svg, box));
        arrows.forEach(arrow -> write(svg, arrow));
        return svg.append("</svg>\n").toString();
    }

    private static void text(StringBuilder svg, int x, int y, String style, String text) {
        svg.append("<text x=\"").append(x).append("\" y=\"").append(y).append("\" xml:space=\"preserve\"")
                .append(style.isEmpty() ? "" : " " + style).append('>')
                .append(text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")).append("</text>\n");
    }

    private void write(StringBuilder svg, Box box) {
        svg.append("<rect x=\"").append(columnX[box.column]).append("\" y=\"").append(box.y).append("\" width=\"")
                .append(columnWidth[box.column]).append("\" height=\"").append(box.height())
                .append("\" rx=\"3\" fill=\"").append(FILLS.get(box.wr.kind())).append("\" stroke=\"")
                .append(STROKES.get(box.wr.kind())).append('"')
                .append(box.wr.isDormant() ? " stroke-dasharray=\"5 3\"" : "").append("/>\n");
        int y = box.y + PADDING + 11;
        for (int i = 0; i < box.lines.size(); i++) {
            Line line = box.lines.get(i);
            text(svg, columnX[box.column] + PADDING, y + i * LINE, line.style, line.text);
        }
    }

    private void write(StringBuilder svg, Arrow arrow) {
        boolean right = arrow.leavesRight();
        int fromX = columnX[arrow.from.column] + (right ? columnWidth[arrow.from.column] : 0);
        int fromY = arrow.from.yOf(arrow, right ? arrow.from.right : arrow.from.left);
        boolean entersRight = arrow.entersRight();
        int toX = columnX[arrow.to.column] + (entersRight ? columnWidth[arrow.to.column] : 0);
        int toY = arrow.to.yOf(arrow, entersRight ? arrow.to.right : arrow.to.left);
        int lane = laneX(arrow.gutter, arrow.lane);
        StringBuilder path = new StringBuilder("M" + fromX + " " + fromY + "H" + lane);
        if (arrow.bus >= 0) {
            path.append('V').append(TITLE + LINE + (arrow.bus + 1) * LANE - 2)
                    .append('H').append(laneX(arrow.lastGutter, arrow.lastLane));
        }
        path.append('V').append(toY).append('H').append(toX);
        String color = STROKES.get(arrow.from.wr.kind());
        int tip = entersRight ? 6 : -6;
        svg.append("<path d=\"").append(path).append("\" fill=\"none\" stroke=\"").append(color).append("\"/>\n");
        svg.append("<path d=\"M").append(toX).append(' ').append(toY).append("l").append(tip).append(" -3v6z\" fill=\"")
                .append(color).append("\"/>\n");
    }
}
