package org.jvrpc.watch.collect;

import java.util.ArrayList;
import java.util.List;
import org.jvrpc.watch.AgentInfo;
import org.jvrpc.watch.Alert;
import org.jvrpc.watch.Verdict;
import org.jvrpc.watch.history.History;
import org.jvrpc.watch.report.Report;
import org.jvrpc.watch.web.Cells;
import org.jvrpc.watch.web.Layout;
import org.jvrpc.watch.web.PageData;

/** Answers the page from a collector's tables. Any thread. */
final class CollectorPage implements PageData {

    private static final int MOST_POINTS = 3_000;
    private static final long MILLISECOND_NS = 1_000_000;

    private final Collector collector;
    private final CollectorSettings settings;

    CollectorPage(Collector collector, CollectorSettings settings) {
        this.collector = collector;
        this.settings = settings;
    }

    @Override
    public Summary summary() {
        long window = collector.window();
        History history = collector.tables().history();
        String trouble = collector.roster().registry().trouble();
        if (trouble == null && history != null) {
            trouble = history.trouble();
        }
        synchronized (collector.lock()) {
            if (trouble == null && collector.tables().racks().isFull()) {
                trouble = "there is no room for more than " + collector.tables().racks().size() + " pairs of racks";
            }
        }
        return new Summary(settings.title(), window, settings.windowNs(), window < 0 ? 0
                : (window + 1) * settings.windowNs() / MILLISECOND_NS, trouble, history == null ? 0 : history.bytes(),
                history == null ? 0 : history.bound());
    }

    @Override
    public Layout layout() {
        synchronized (collector.lock()) {
            return collector.roster().layout();
        }
    }

    @Override
    public Matrix pairs(long window, Shown shown) {
        synchronized (collector.lock()) {
            if (window != collector.window()) {
                return null;
            }
            Roster roster = collector.roster();
            List<AgentInfo> hosts = roster.layout().hosts();
            int width = hosts.size();
            int[] slots = hosts.stream().mapToInt(agent -> roster.slot(agent.id())).toArray();
            byte[] cells = new byte[width * width];
            PairTable pairs = collector.tables().pairs;
            for (int from = 0; from < width; from++) {
                for (int to = 0; to < width; to++) {
                    cells[from * width + to] = pairs.cell(slots[from], slots[to], window, shown);
                }
            }
            return new Matrix(window, roster.layout().epoch(), width, cells);
        }
    }

    @Override
    public Matrix racks(long window, Shown shown) {
        synchronized (collector.lock()) {
            if (window > collector.window() || window <= collector.window() - settings.keptWindows()) {
                return null;
            }
            Roster roster = collector.roster();
            List<Layout.Rack> racks = roster.layout().racks();
            int width = racks.size();
            byte[] cells = new byte[width * width];
            for (int from = 0; from < width; from++) {
                for (int to = 0; to < width; to++) {
                    Ring ring = collector.tables().racks().get(Tables.rackSeries(racks.get(from), racks.get(to)));
                    cells[from * width + to] = ring == null || !ring.has(window) ? Cells.UNKNOWN
                            : cell(ring.point(window), shown);
                }
            }
            return new Matrix(window, roster.layout().epoch(), width, cells);
        }
    }

    private static byte cell(Point point, Shown shown) {
        return switch (shown) {
            case LOSS -> Cells.loss(point.sent(), point.lost());
            case P50 -> Cells.time(point.sent(), point.lost(), point.p50Ns());
            default -> Cells.time(point.sent(), point.lost(), point.p99Ns());
        };
    }

    @Override
    public List<Point> fabricSeries() {
        synchronized (collector.lock()) {
            return newest(collector.tables().fabric().points(collector.window()));
        }
    }

    private static List<Point> newest(List<Point> points) {
        return List.copyOf(points.subList(Math.max(0, points.size() - MOST_POINTS), points.size()));
    }

    @Override
    public List<Point> rackSeries(Layout.Rack from, Layout.Rack to) {
        String series = Tables.rackSeries(from, to);
        long last;
        List<Point> points;
        synchronized (collector.lock()) {
            Ring ring = collector.tables().racks().get(series);
            last = collector.window();
            points = ring == null ? List.of() : ring.points(last);
            if (collector.tables().history() == null
                    || ring != null && collector.tables().racks().windows() == settings.keptWindows()) {
                return newest(points);
            }
        }
        Ring all = new Ring(settings.keptWindows()); // memory has the latest windows alone
        collector.tables().history().range(series, Math.max(0, last - settings.keptWindows() + 1), last, all::put);
        points.forEach(point -> all.put(point.window(), point.sent(), point.lost(), TimeCode.of(point.p50Ns()),
                TimeCode.of(point.p99Ns())));
        return newest(all.points(last));
    }

    /** The hours in the history, then this one. */
    @Override
    public List<Point> pairSeries(int fromAgent, int toAgent) {
        List<Point> points = new ArrayList<>();
        History history = collector.tables().history();
        if (history != null) {
            history.range("hour/" + fromAgent, 0, Long.MAX_VALUE, (window, row) -> {
                Point point = PairTable.inHour(row, toAgent, window, settings.windowsOfHour());
                if (point != null) {
                    points.add(point);
                }
            });
        }
        synchronized (collector.lock()) {
            int from = collector.roster().slot(fromAgent);
            int to = collector.roster().slot(toAgent);
            if (from >= 0 && to >= 0 && collector.window() >= 0) {
                long since = collector.tables().hourFrom(from);
                Point now = collector.tables().pairs.hour(from, to, since, (int) (collector.window() - since + 1));
                if (now != null) {
                    points.add(now);
                }
            }
        }
        return newest(points);
    }

    @Override
    public List<Alert> alerts() {
        return collector.alerts();
    }

    @Override
    public List<Verdict> verdicts() {
        return collector.verdicts();
    }

    @Override
    public List<AgentState> agents() {
        List<AgentState> states = new ArrayList<>();
        synchronized (collector.lock()) {
            for (AgentInfo agent : collector.roster().layout().hosts()) {
                Collector.Last last = collector.last(agent.id());
                states.add(new AgentState(agent, last == null ? -1 : last.window(), last == null ? 0 : last.probes(),
                        last == null ? 0 : last.refused(), last == null ? 0 : last.clockJumps(),
                        collector.inbox().trouble(agent.id())));
            }
        }
        for (Report stranger : collector.inbox().strangers()) {
            states.add(new AgentState(stranger.from(), stranger.window(), 0, 0, 0, "the registry does not have it"));
        }
        return states;
    }
}
