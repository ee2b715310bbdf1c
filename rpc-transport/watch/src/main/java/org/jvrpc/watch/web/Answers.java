package org.jvrpc.watch.web;

import java.util.List;
import org.jvrpc.watch.AgentInfo;
import org.jvrpc.watch.Alert;
import org.jvrpc.watch.JsonWriter;
import org.jvrpc.watch.Verdict;

/** What the page fetches, as JSON: lists are arrays of columns where they may be long. */
final class Answers {

    private static final int MOST_ROWS = 2000;

    private Answers() {
    }

    /** {@code {"title":…,"window":…,"windowNs":…,"endMs":…,"trouble":…,"historyBytes":…,"historyBound":…}}. */
    static String of(PageData.Summary summary) {
        return new JsonWriter().object().name("title").value(summary.title()).name("window").value(summary.window())
                .name("windowNs").value(summary.windowNs()).name("endMs").value(summary.windowEndWallMs())
                .name("trouble").value(summary.trouble()).name("historyBytes").value(summary.historyBytes())
                .name("historyBound").value(summary.historyBound()).end().toString();
    }

    /**
     * {@code {"epoch":…,"racks":[{"pod":…,"name":…},…],"names":[…],"ids":[…],"rackOf":[…],"timesNs":[…],"shares":[…]}}:
     * the last two say what the codes of {@link Cells} stand for.
     */
    static String of(Layout layout) {
        JsonWriter out = new JsonWriter().object().name("epoch").value(layout.epoch()).name("racks").array();
        for (Layout.Rack rack : layout.racks()) {
            out.object().name("pod").value(rack.pod()).name("name").value(rack.name()).end();
        }
        out.end().name("names").array();
        layout.hosts().forEach(host -> out.value(host.name()));
        out.end().name("ids").array();
        layout.hosts().forEach(host -> out.value(host.id()));
        out.end().name("rackOf").array();
        for (int i = 0; i < layout.hosts().size(); i++) {
            out.value(layout.rackOf(i));
        }
        out.end().name("timesNs").array();
        for (int i = 0; i < Cells.VALUES; i++) {
            out.value(Math.rint(Cells.timeNs(i)));
        }
        out.end().name("shares").array();
        for (int i = 0; i < Cells.VALUES; i++) {
            out.value(Cells.share(i));
        }
        return out.end().end().toString();
    }

    /** {@code {"window":[…],"windows":[…],"sent":[…],"lost":[…],"p50Ns":[…],"p99Ns":[…]}}. */
    static String ofPoints(List<PageData.Point> all) {
        List<PageData.Point> points = last(all);
        JsonWriter out = new JsonWriter().object().name("window").array();
        points.forEach(point -> out.value(point.window()));
        out.end().name("windows").array();
        points.forEach(point -> out.value(point.windows()));
        out.end().name("sent").array();
        points.forEach(point -> out.value(point.sent()));
        out.end().name("lost").array();
        points.forEach(point -> out.value(point.lost()));
        out.end().name("p50Ns").array();
        points.forEach(point -> out.value(point.p50Ns()));
        out.end().name("p99Ns").array();
        points.forEach(point -> out.value(point.p99Ns()));
        return out.end().end().toString();
    }

    /** The newest of a series: 2,880 windows are a day, and a line has no more points than that. */
    private static List<PageData.Point> last(List<PageData.Point> points) {
        int most = 2 * MOST_ROWS;
        return points.size() <= most ? points : points.subList(points.size() - most, points.size());
    }

    /** {@code {"all":7,"rows":[{"window":…,"rule":…,"subject":…,"value":…,"limit":…,"raised":…},…]}}. */
    static String ofAlerts(List<Alert> alerts) {
        JsonWriter out = rows(alerts.size());
        alerts.stream().limit(MOST_ROWS).forEach(alert -> out.object().name("window").value(alert.window())
                .name("rule").value(alert.rule()).name("subject").value(alert.subject())
                .name("value").value(alert.value()).name("limit").value(alert.limit())
                .name("raised").value(alert.raised()).end());
        return out.end().end().toString();
    }

    /** As {@link #ofAlerts}: window, kind, who, cause, strength, share, observations, windows, evidence. */
    static String ofVerdicts(List<Verdict> verdicts) {
        JsonWriter out = rows(verdicts.size());
        verdicts.stream().limit(MOST_ROWS).forEach(verdict -> out.object().name("window").value(verdict.window())
                .name("kind").value(verdict.who().kind().name()).name("who").value(verdict.who().name())
                .name("cause").value(verdict.cause().name()).name("strength").value(verdict.strength())
                .name("share").value(verdict.share()).name("observations").value(verdict.observations())
                .name("windows").value(verdict.windows()).name("evidence").value(verdict.evidence()).end());
        return out.end().end().toString();
    }

    /** As {@link #ofAlerts}: id, name, rack, pod, version, lastWindow, probes, refused, clockJumps, trouble. */
    static String ofAgents(List<PageData.AgentState> agents) {
        JsonWriter out = rows(agents.size());
        for (PageData.AgentState agent : agents) {
            AgentInfo info = agent.info();
            out.object().name("id").value(info.id()).name("name").value(info.name()).name("rack").value(info.rack())
                    .name("pod").value(info.pod()).name("version").value(info.version())
                    .name("lastWindow").value(agent.lastWindow()).name("probes").value(agent.probes())
                    .name("refused").value(agent.refused()).name("clockJumps").value(agent.clockJumps())
                    .name("trouble").value(agent.trouble()).end();
        }
        return out.end().end().toString();
    }

    private static JsonWriter rows(int all) {
        return new JsonWriter().object().name("all").value(all).name("rows").array();
    }
}
