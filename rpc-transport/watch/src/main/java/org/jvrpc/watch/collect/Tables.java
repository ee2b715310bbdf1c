package org.jvrpc.watch.collect;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jvrpc.watch.AgentInfo;
import org.jvrpc.watch.history.History;
import org.jvrpc.watch.report.Report;
import org.jvrpc.watch.report.Tally;
import org.jvrpc.watch.web.Layout;

/** Figures of pairs and racks, in bounded memory. They go to the history too, hosts to it alone. Not thread safe. */
final class Tables {

    private static final String FABRIC = "fabric";
    private static final String RACK = "rack/";
    /** Fewer probes raise no alert: one lost of ten is no loss of ten per cent. */
    private static final long LEAST_PROBES = 50;

    final PairTable pairs = new PairTable();
    private final CollectorSettings settings;
    private final History history;
    private final Ring fabric;
    /** From one rack to another. */
    private final RackRings racks;
    /** Windows that were added. */
    private long first = -1;
    private long latest = -1;

    /**
     * Begins with what the history has.
     *
     * @param history null: none
     * @param now the window that runs
     */
    Tables(CollectorSettings settings, History history, long now) {
        this.settings = settings;
        this.history = history;
        fabric = new Ring(settings.keptWindows());
        racks = new RackRings(settings.keptWindows(), RackRings.MOST_BYTES);
        if (history != null) {
            long from = Math.max(0, now - settings.keptWindows() + 1);
            history.range(FABRIC, from, now, fabric::put);
            history.each(RACK, from, now, (series, window, row) -> {
                Ring ring = racks.make(series, window);
                if (ring != null) {
                    ring.put(window, row);
                }
            });
        }
    }

    static String rackSeries(Layout.Rack from, Layout.Rack to) {
        return RACK + name(from) + "/" + name(to);
    }

    private static String name(Layout.Rack rack) {
        return escaped(rack.pod()) + "." + escaped(rack.name());
    }

    /** Names may have dots and slashes of their own. */
    private static String escaped(String name) {
        return name.replace("%", "%25").replace("/", "%2F").replace(".", "%2E");
    }

    /** Adds a window's reports. */
    void add(long window, List<Report> reports, Roster roster, Alerts alerts) {
        endHours(window, roster);
        int racksKnown = roster.layout().racks().size() + 1;
        int slots = roster.size();
        Map<Long, Integer> pairNumbers = new HashMap<>();
        List<long[]> rackPairs = new ArrayList<>();
        Groups byRack = new Groups(racksKnown * racksKnown * 2 + 1);
        Groups byProber = new Groups(slots);
        Groups byTarget = new Groups(slots);
        Groups all = new Groups(1);
        for (Report report : reports) {
            int from = roster.slot(report.from().id());
            for (Tally tally : report.tallies()) {
                int to = roster.slot(tally.target());
                if (from < 0 || to < 0 || tally.sent() == 0) {
                    continue;
                }
                int lost = tally.lostForward() + tally.lostBack() + tally.lostUnknown();
                pairs.add(from, to, window, tally.sent(), lost, TimeCode.of(tally.networkP50Ns()),
                        TimeCode.of(tally.networkP99Ns()));
                long racksOf = (long) roster.rackOf(from) << Integer.SIZE | roster.rackOf(to);
                Integer number = pairNumbers.get(racksOf);
                if (number == null) {
                    number = rackPairs.size();
                    pairNumbers.put(racksOf, number);
                    rackPairs.add(new long[] {racksOf, from, to});
                }
                byRack.add(number, tally, lost);
                byProber.add(from, tally, lost);
                byTarget.add(to, tally, lost);
                all.add(0, tally, lost);
            }
        }
        all.each((group, sent, lost, p50, p99) -> put(fabric, FABRIC, window, sent, lost, p50, p99));
        byRack.each((group, sent, lost, p50, p99) -> {
            long[] pair = rackPairs.get(group);
            Layout.Rack from = Roster.rack(roster.agent((int) pair[1]));
            Layout.Rack to = Roster.rack(roster.agent((int) pair[2]));
            String series = rackSeries(from, to);
            put(racks.make(series, window), series, window, sent, lost, p50, p99);
            look(alerts, window, from.pod() + "/" + from.name() + " to " + to.pod() + "/" + to.name(), sent, lost, p99);
        });
        byProber.each((slot, sent, lost, p50, p99) -> host("from/", roster.agent(slot), window, sent, lost, p50, p99));
        byTarget.each((slot, sent, lost, p50, p99) -> {
            host("host/", roster.agent(slot), window, sent, lost, p50, p99);
            look(alerts, window, "to host " + roster.agent(slot).name(), sent, lost, p99);
        });
        alerts.end(window);
    }

    private void look(Alerts alerts, long window, String subject, long sent, long lost, int p99) {
        if (sent >= LEAST_PROBES) {
            alerts.look(window, "loss", subject, (double) lost / sent, settings.lossLimit());
            if (settings.p99LimitNs() > 0 && lost < sent) {
                alerts.look(window, "p99", subject, TimeCode.ns(p99), settings.p99LimitNs());
            }
        }
    }

    /** Hosts are kept in the history alone: by memory, a day of them costs as much as that of all racks. */
    private void host(String kind, AgentInfo agent, long window, long sent, long lost, int p50, int p99) {
        if (history != null) {
            history.put(kind + agent.id(), window, Ring.row(sent, lost, p50, p99));
        }
    }

    private void put(Ring ring, String series, long window, long sent, long lost, int p50, int p99) {
        if (ring != null) {
            ring.put(window, sent, lost, p50, p99);
        }
        if (history != null) {
            history.put(series, window, Ring.row(sent, lost, p50, p99));
        }
    }

    /** Hours of agents end one after the other, so that the history gets them little by little. */
    private void endHours(long window, Roster roster) {
        if (window < latest) { // a clock went back
            latest = window - 1;
            first = Math.min(first, window);
        }
        int hour = settings.windowsOfHour();
        int[] ids = roster.ids();
        for (int slot = 0; slot < ids.length && latest >= 0; slot++) {
            long end = ended(slot, window - 1);
            if (end > latest - 1) {
                byte[] row = pairs.takeHour(slot, ids);
                if (row != null && history != null) {
                    history.put("hour/" + ids[slot], Math.max(first, end - hour + 1), row);
                }
            }
        }
        first = first < 0 ? window : first;
        latest = window;
    }

    /** Returns the last window, of those up to one, with which an hour of a slot ended. */
    private long ended(int slot, long window) {
        int hour = settings.windowsOfHour();
        return Math.floorDiv(window - slot % hour, (long) hour) * hour + slot % hour;
    }

    /** Returns when the hour of a slot began that is not in the history yet. */
    long hourFrom(int slot) {
        return Math.max(first, ended(slot, latest - 1) + 1);
    }

    Ring fabric() {
        return fabric;
    }

    /** Returns the rings of one rack to another, by {@link #rackSeries}. */
    RackRings racks() {
        return racks;
    }

    History history() {
        return history;
    }
}
