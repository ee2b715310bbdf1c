package org.jvrpc.watch.agent;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jvrpc.watch.report.ReportLayout;
import org.jvrpc.watch.report.Tally;

/** The probes that were sent in one window. One thread. */
final class Window {

    /** Longer than any answer takes: a clock has jumped. */
    private static final long MOST_NS = 10_000_000_000L;

    final long number;
    final long startNs;
    final long endNs;
    /** When no more answers are waited for, by a clock that stands while the agent does. */
    long closeAliveNs;
    private final List<Probe> probes = new ArrayList<>();

    /** What is said of a flow. */
    private record Flow(int target, int flow, int size, int serviceLevel) { }

    /** What the probes of a flow met. */
    private static final class Count {
        private int sent;
        private int lostForward;
        private int lostBack;
        private int lostUnknown;
        private int late;
        private int errors;
        private final Samples network = new Samples();
        private final Samples prober = new Samples();
        private final Samples responder = new Samples();

        private void lost(Probe.Way way) {
            switch (way) {
                case FORWARD_LOST -> lostForward++;
                case BACK_LOST -> lostBack++;
                case UNKNOWN -> lostUnknown++;
            }
        }

        private Tally tally(Flow of) {
            return new Tally(of.target(), of.flow(), of.size(), of.serviceLevel(), sent, lostForward, lostBack,
                    lostUnknown, late, errors, network.perMille(500), network.perMille(990), prober.perMille(990),
                    responder.perMille(990));
        }
    }

    /**
     * What a window comes to.
     *
     * @param thrownAway samples that no clock can have taken
     * @param leftOut tallies that a report has no room for, of probes that all came back where there are such
     */
    record Result(List<Tally> tallies, int sent, int lost, int thrownAway, long proberP99Ns, int leftOut) { }

    Window(long number, long startNs, long endNs) {
        this.number = number;
        this.startNs = startNs;
        this.endNs = endNs;
    }

    void add(Probe probe) {
        probes.add(probe);
    }

    Collection<Probe> probes() {
        return probes;
    }

    /** Sums up, when no more answers are waited for. */
    Result close(LateLimits limits) {
        Map<Flow, Count> flows = new LinkedHashMap<>();
        Samples prober = new Samples();
        int lost = 0;
        int thrownAway = 0;
        for (Probe probe : probes) {
            Count count = flows.computeIfAbsent(new Flow(probe.peer.info.id(), probe.flow, probe.size,
                    probe.serviceLevel), none -> new Count());
            count.sent++;
            if (probe.failed || probe.damaged) {
                count.errors++;
            } else if (!probe.acknowledged) {
                count.lost(probe.way);
                lost++;
            } else if (probe.sent && probe.timed) {
                thrownAway += sample(probe, count, prober, limits) ? 0 : 1;
            }
        }
        limits.learn();
        List<Tally> tallies = new ArrayList<>(flows.size());
        flows.forEach((flow, count) -> tallies.add(count.tally(flow)));
        int leftOut = Math.max(0, tallies.size() - ReportLayout.MOST_TALLIES);
        if (leftOut > 0) {
            tallies.sort(Comparator.comparing(Window::isSound)); // what is bad first
            tallies.subList(ReportLayout.MOST_TALLIES, tallies.size()).clear();
        }
        return new Result(tallies, probes.size(), lost, thrownAway, prober.perMille(990), leftOut);
    }

    private static boolean isSound(Tally tally) {
        return tally.lostForward() + tally.lostBack() + tally.lostUnknown() + tally.late() + tally.errors() == 0;
    }

    private static boolean sample(Probe probe, Count count, Samples all, LateLimits limits) {
        if (!isTime(probe.networkNs()) || !isTime(probe.proberNs()) || !isTime(probe.responderNs)) {
            return false;
        }
        count.network.add(probe.networkNs());
        count.prober.add(probe.proberNs());
        count.responder.add(probe.responderNs);
        all.add(probe.proberNs());
        if (limits.isLate(probe.peer.info, probe.size, probe.serviceLevel, probe.networkNs())) {
            count.late++;
        }
        return true;
    }

    private static boolean isTime(long ns) {
        return ns >= 0 && ns <= MOST_NS;
    }
}
