package org.jvrpc.watch.collect;

import java.util.Locale;
import org.jvrpc.watch.Metrics;
import org.jvrpc.watch.MetricsSource;
import org.jvrpc.watch.Verdict;
import org.jvrpc.watch.history.History;
import org.jvrpc.watch.web.PageData.Point;

/** A collector's figures for Prometheus. Any thread. */
public final class CollectorMetrics implements MetricsSource {

    private static final double SECOND_NS = 1e9;
    /** Windows: the one that runs, one more until it is ended, and one of grace. */
    private static final int LATE = 3;

    private final Collector collector;

    CollectorMetrics(Collector collector) {
        this.collector = collector;
    }

    @Override
    public void write(Metrics to) {
        Inbox inbox = collector.inbox();
        to.counter("jvrpc_pingmesh_reports_total", "Reports taken.", inbox.accepted());
        long[] refused = inbox.refused();
        for (Inbox.Refusal why : Inbox.Refusal.values()) {
            to.counter("jvrpc_pingmesh_reports_refused_total", "Reports refused.", refused[why.ordinal()], "reason",
                    why.name().toLowerCase(Locale.ROOT));
        }
        long window = collector.window();
        to.gauge("jvrpc_pingmesh_window", "The window that ended last.", window);
        to.gauge("jvrpc_pingmesh_alerts", "Alerts that stand.", collector.raised());
        for (Verdict verdict : collector.standing()) {
            to.gauge("jvrpc_pingmesh_blamed", "Who is blamed in the window that ended last: strength.",
                    verdict.strength(), "kind", verdict.who().kind().name(), "who", verdict.who().name(), "cause",
                    verdict.cause().name());
        }
        synchronized (collector.lock()) {
            write(to, window);
        }
    }

    private void write(Metrics to, long window) {
        Roster roster = collector.roster();
        int silent = 0;
        long now = collector.nowWindow();
        long least = Math.max(window, now - LATE); // when nobody reports, no window ends
        for (var agent : roster.layout().hosts()) {
            Collector.Last last = collector.last(agent.id());
            silent += last == null || last.window() < least || last.window() > now + 1 ? 1 : 0;
        }
        to.gauge("jvrpc_pingmesh_agents", "Agents in the registry.", roster.layout().hosts().size());
        to.gauge("jvrpc_pingmesh_agents_silent", "Agents without a report of the window that should have ended.",
                silent);
        if (window >= 0 && collector.tables().fabric().has(window)) {
            Point point = collector.tables().fabric().point(window);
            to.gauge("jvrpc_pingmesh_probes", "Probes of that window.", point.sent());
            to.gauge("jvrpc_pingmesh_loss_ratio", "Share of them lost.", (double) point.lost() / point.sent());
            to.gauge("jvrpc_pingmesh_network_seconds", "Time on the network.", point.p50Ns() / SECOND_NS, "quantile",
                    "0.5");
            to.gauge("jvrpc_pingmesh_network_seconds", "Time on the network.", point.p99Ns() / SECOND_NS, "quantile",
                    "0.99");
        }
        History history = collector.tables().history();
        if (history != null) {
            to.gauge("jvrpc_pingmesh_history_bytes", "Length of the history on disk.", history.bytes());
            to.gauge("jvrpc_pingmesh_history_trouble", "1 while nothing is kept.", history.trouble() == null ? 0 : 1);
        }
    }
}
