package org.jvrpc.watch.web;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.jvrpc.watch.AgentInfo;
import org.jvrpc.watch.Alert;
import org.jvrpc.watch.Cause;
import org.jvrpc.watch.Component;
import org.jvrpc.watch.Verdict;

/** A fabric of two pods and racks of 25 hosts as a collector would tell of it: one host is slow, one is dead. */
class CannedData implements PageData {

    static final int RACK = 25;
    static final int SLOW = 137;
    static final int DEAD = 612;
    static final int ONE_WAY_FROM = 0;
    static final int ONE_WAY_TO = 5;

    private static final int WINDOWS = 2880;
    private static final int KEPT = 4;
    private static final long SEED = 1;

    private final Layout layout;
    private final String hostile;
    volatile long windowNs = 30_000_000_000L;
    volatile long window = 40_000;
    volatile int matricesMade;

    CannedData(int hosts, String hostile) {
        this.hostile = hostile;
        List<AgentInfo> agents = new ArrayList<>();
        for (int i = 0; i < hosts; i++) {
            agents.add(new AgentInfo(i, hostile + "h" + i, hostile + "r" + i / RACK,
                    hostile + "pod" + (2L * i / hosts), new byte[] {1}, 1, i));
        }
        layout = Layout.of(7, agents);
    }

    @Override
    public Summary summary() {
        return new Summary("Fabric" + hostile, window, windowNs, 1_800_000_000_000L, null, 300L << 20, 1L << 30);
    }

    @Override
    public Layout layout() {
        return layout;
    }

    /** Returns the time of a pair: more hops take longer, a slow host makes all of its pairs slow. */
    private long timeNs(int from, int to, double share) {
        AgentInfo a = layout.hosts().get(from);
        AgentInfo b = layout.hosts().get(to);
        double us = !a.pod().equals(b.pod()) ? 11 : !a.rack().equals(b.rack()) ? 7.5 : 4;
        double slow = a.id() == SLOW || b.id() == SLOW ? 6 : 1;
        return (long) (1000 * us * slow * (1 + 0.4 * share));
    }

    @Override
    public Matrix pairs(long asked, Shown shown) {
        if (asked <= window - KEPT || asked > window) {
            return null;
        }
        matricesMade++;
        int n = layout.hosts().size();
        byte[] cells = new byte[n * n];
        Random random = new Random(SEED + asked);
        for (int i = 0; i < n; i++) {
            for (int j = 0; j < n; j++) {
                boolean dead = layout.hosts().get(i).id() == DEAD || layout.hosts().get(j).id() == DEAD
                        || i == ONE_WAY_FROM && j == ONE_WAY_TO;
                long lost = dead ? 100 : random.nextInt(500) == 0 ? 1 : 0;
                byte code = shown == Shown.LOSS ? Cells.loss(100, lost)
                        : Cells.time(100, lost, timeNs(i, j, random.nextDouble()) * (shown == Shown.P99 ? 2 : 1));
                cells[i * n + j] = i == j ? Cells.UNKNOWN : random.nextInt(3) == 0 && !dead ? Cells.old(code) : code;
            }
        }
        return new Matrix(asked, layout.epoch(), n, cells);
    }

    @Override
    public Matrix racks(long asked, Shown shown) {
        if (asked <= window - WINDOWS || asked > window) {
            return null;
        }
        int n = layout.racks().size();
        byte[] cells = new byte[n * n];
        for (int i = 0; i < cells.length; i++) {
            cells[i] = shown == Shown.LOSS ? Cells.loss(1000, i % n == i / n ? 30 : 0)
                    : Cells.time(5000 + 100 * (i % n));
        }
        return new Matrix(asked, layout.epoch(), n, cells);
    }

    private List<Point> points(int scale) {
        List<Point> points = new ArrayList<>();
        Random random = new Random(SEED);
        for (long w = window - WINDOWS + 1; w <= window; w++) {
            boolean bad = w > window - 900 && w < window - 800;
            points.add(new Point(w, 1, 150_000 / scale, bad ? 4_000 / scale : random.nextInt(20) / scale,
                    7_000 + random.nextInt(500), (bad ? 90_000 : 16_000) + random.nextInt(3_000)));
        }
        return points;
    }

    @Override
    public List<Point> fabricSeries() {
        return points(1);
    }

    @Override
    public List<Point> rackSeries(Layout.Rack from, Layout.Rack to) {
        return layout.racks().contains(from) && layout.racks().contains(to) ? points(100) : List.of();
    }

    @Override
    public List<Point> pairSeries(int from, int to) {
        return from < layout.hosts().size() && to < layout.hosts().size() ? points(1000) : List.of();
    }

    @Override
    public List<Alert> alerts() {
        return List.of(new Alert(window, "loss over 2 %", hostile + "h" + DEAD, 1, 0.02, true),
                new Alert(window - 800, "p99 over 500 us", hostile + "r3", 430, 500, false));
    }

    @Override
    public List<Verdict> verdicts() {
        return List.of(
                new Verdict(window, new Component(Component.Kind.HOST, hostile + "h" + DEAD), Cause.DOWN, 840, 0.99,
                        310, 3, "all 310 probes to and from it are lost, its neighbours are sound" + hostile),
                new Verdict(window, new Component(Component.Kind.HOST, hostile + "h" + SLOW), Cause.SLOW_RECEIVER, 120,
                        0.9, 290, 2, "late toward it only, and it sends pauses"));
    }

    @Override
    public List<AgentState> agents() {
        List<AgentState> agents = new ArrayList<>();
        for (AgentInfo info : layout.hosts()) {
            boolean dead = info.id() == DEAD;
            agents.add(new AgentState(info, dead ? window - 3 : window, dead ? 0 : 150, info.id() == 5 ? 12 : 0, 0,
                    dead ? "its port is down" + hostile : null));
        }
        return agents;
    }
}
