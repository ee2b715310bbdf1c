package org.jvrpc.watch.collect;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jvrpc.watch.AgentInfo;
import org.jvrpc.watch.Alert;
import org.jvrpc.watch.Clock;
import org.jvrpc.watch.Registry;
import org.jvrpc.watch.Verdict;
import org.jvrpc.watch.blame.Blamer;
import org.jvrpc.watch.history.History;
import org.jvrpc.watch.report.Report;
import org.jvrpc.watch.report.ReportSink;
import org.jvrpc.watch.report.Tally;
import org.jvrpc.watch.web.PageData;

/**
 * Takes reports, ends windows, has them judged, and keeps what a page and Prometheus ask for: pairs as they were known
 * last and over this hour, racks for a day. {@link #accept} is called by any thread, {@link #look} by one, now
 * and then. Memory is bounded: 16 bytes a pair of agents, and 160 MiB for all pairs of racks, which have a shorter time
 * line when there are more than 4,000; see {@code ARCHITECTURE.md}. A clock that goes back takes windows with it.
 */
public final class Collector implements ReportSink {

    private static final long MILLISECOND_NS = 1_000_000;
    private static final int MOST_VERDICTS = 2_000;
    /** Windows are numbered from 1970 on, and a history has 39 bits for them. */
    private static final long LEAST_KEPT_NS = 10_000_000;

    /** What an agent's last report said. */
    record Last(long window, long probes, long refused, long clockJumps) { }

    private final CollectorSettings settings;
    private final Clock clock;
    private final Blamer blamer;
    private final Inbox inbox;
    private final Object lock = new Object(); // of what follows
    private final Tables tables;
    private final Roster roster;
    private final Alerts alerts = new Alerts();
    private final Deque<Verdict> verdicts = new ArrayDeque<>();
    private final Map<Integer, Last> last = new HashMap<>();
    private List<Verdict> standing = List.of();
    private Map<Integer, String> names = Map.of(); // this and its epoch are under the lock of this
    private long namesEpoch = Long.MIN_VALUE;

    /**
     * Makes a collector.
     *
     * @param blamer called by the thread of {@link #look} alone
     * @param history null: what is kept is gone with the process; its rows of the time that is kept are read here
     * @throws IllegalArgumentException for windows of less than {@value #LEAST_KEPT_NS} ns with a history
     */
    public Collector(CollectorSettings settings, Registry registry, Blamer blamer, History history, Clock clock) {
        if (history != null && settings.windowNs() < LEAST_KEPT_NS) {
            throw new IllegalArgumentException("windowNs=" + settings.windowNs()
                    + ", a history has windows of at least " + LEAST_KEPT_NS);
        }
        this.settings = settings;
        this.clock = clock;
        this.blamer = blamer;
        inbox = new Inbox(settings);
        tables = new Tables(settings, history, nowWindow());
        roster = new Roster(registry, tables.pairs);
    }

    /**
     * Takes a report, which is judged when its window has ended.
     *
     * @throws IllegalArgumentException when it is refused: says why, with the values
     */
    @Override
    public void accept(Report report) {
        inbox.accept(report, names().get(report.from().id()), nowWindow());
    }

    private synchronized Map<Integer, String> names() {
        Registry registry = roster.registry();
        long epoch = registry.epoch();
        if (epoch != namesEpoch) {
            Map<Integer, String> next = new HashMap<>();
            registry.agents().forEach(agent -> next.put(agent.id(), agent.name()));
            names = next;
            namesEpoch = epoch;
        }
        return names;
    }

    long nowWindow() {
        return clock.wallMs() * MILLISECOND_NS / settings.windowNs();
    }

    /** Ends windows whose time is over by one window: agents report after it, by clocks of their own. */
    public void look() {
        long now = nowWindow();
        for (long oldest = inbox.oldest(); oldest >= 0 && oldest < now - 1; oldest = inbox.oldest()) {
            end(oldest);
        }
    }

    private void end(long window) {
        List<Report> reports;
        synchronized (lock) {
            reports = inbox.close(window); // who sees that it has ended finds it in the tables
            if (roster.look()) {
                Set<Integer> ids = new HashSet<>();
                roster.layout().hosts().forEach(agent -> ids.add(agent.id()));
                last.keySet().retainAll(ids);
                inbox.forget(ids);
            }
            tables.add(window, reports, roster, alerts);
            for (Report report : reports) {
                last.put(report.from().id(), new Last(window,
                        report.tallies().stream().mapToLong(Tally::sent).sum(), (long) report.refusedForged()
                        + report.refusedReplayed() + report.refusedVersion(), report.clockJumps()));
            }
        }
        List<Verdict> found = blamer.judge(reports);
        synchronized (lock) {
            standing = List.copyOf(found);
            for (Verdict verdict : found) {
                verdicts.addFirst(verdict);
                if (verdicts.size() > MOST_VERDICTS) {
                    verdicts.removeLast();
                }
            }
        }
    }

    /** Returns what the page asks. */
    public PageData page() {
        return new CollectorPage(this, settings);
    }

    /** Returns what Prometheus asks. */
    public CollectorMetrics metrics() {
        return new CollectorMetrics(this);
    }

    /** Returns the agents known to the registry when the last window ended. */
    public List<AgentInfo> agents() {
        synchronized (lock) {
            return roster.layout().hosts();
        }
    }

    /** Returns the alerts that are kept, newest first. */
    public List<Alert> alerts() {
        synchronized (lock) {
            return alerts.all();
        }
    }

    /** Returns the verdicts that are kept, newest first. */
    public List<Verdict> verdicts() {
        synchronized (lock) {
            return new ArrayList<>(verdicts);
        }
    }

    /** Returns the verdicts of the window that ended last. */
    public List<Verdict> standing() {
        synchronized (lock) {
            return standing;
        }
    }

    /** Returns the window that ended last; -1: none. */
    public long window() {
        return inbox.closed();
    }

    // ---- for the page and Prometheus

    Object lock() {
        return lock;
    }

    Inbox inbox() {
        return inbox;
    }

    Tables tables() {
        return tables;
    }

    Roster roster() {
        return roster;
    }

    int raised() {
        synchronized (lock) {
            return alerts.raised();
        }
    }

    Last last(int agent) {
        return last.get(agent);
    }
}
