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

/** Figures of pairs and racks, in fixed memory. They go to the history too, and hosts to it alone. Not thread safe. */
final class Tables {

    private static final String FABRIC = "fabric";
    /** Fewer probes raise no alert: one lost of ten is no loss of ten per cent. */
    private static final long LEAST_PROBES = 50;

    final PairTable pairs = new PairTable();
    private final CollectorSettings settings;
    private final History history;
    private final Ring fabric;
    /** From one rack to another. */
    private final Map<Long, Ring> racks = new HashMap<>();
    /** Windows that were added. */
    private long first = -1;
    private long latest = -1;

    /** @param history null: none */
    Tables(CollectorSettings settings, History history) {
        this.settings = settings;
        this.history = history;
        fabric = ring(FABRIC);
    }

    private Ring ring(String series) {
        Ring ring = new Ring(settings.keptWindows());
        if (history != null) {
            history.range(series, 0, Long.MAX_VALUE, ring::put);
        }
        return ring;
    }

    static String rackSeries(Layout.Rack from, Layout.Rack to) {
        return "rack/" + name(from) + "/" + name(to);
    }

    private static String name(Layout.Rack rack) {
        return rack.pod().replace("/", "%2F") + "." + rack.name().replace("/", "%2F");
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
            put(racks.computeIfAbsent(pair[0], unused -> ring(series)), series, window, sent, lost, p50, p99);
            look(alerts, window, from.name() + " to " + to.name(), sent, lost, p99);
        });
        byProber.each((slot, sent, lost, p50, p99) -> host("from/", roster.agent(slot), window, sent, lost, p50, p99));
        byTarget.each((slot, sent, lost, p50, p99) -> {
            host("host/", roster.agent(slot), window, sent, lost, p50, p99);
            look(alerts, window, "to host " + roster.agent(slot).name(), sent, lost, p99);
        });
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
        ring.put(window, sent, lost, p50, p99);
        if (history != null) {
            history.put(series, window, ring.row(window));
        }
    }

    /** Hours of agents end one after the other, so that the history gets them little by little. */
    private void endHours(long window, Roster roster) {
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

    /** Returns the ring of a rack to another, or null. */
    Ring rack(int from, int to) {
        return racks.get((long) from << Integer.SIZE | to);
    }

    History history() {
        return history;
    }
}
