package org.jvrpc.tools.watch.pingmesh;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.jvrpc.watch.AgentInfo;
import org.jvrpc.watch.Clock;
import org.jvrpc.watch.probe.ProbeLayout;
import org.jvrpc.watch.report.Report;
import org.jvrpc.watch.report.Tally;

/** Agents that are none: their names, and reports that they might have written. */
final class MadeUpAgents {

    static final int PER_RACK = 20;
    static final int RACKS_PER_POD = 10;
    private static final int TARGETS = 50;
    private static final int SIZES = 3;
    private static final int FLOWS = 64;
    private static final int LOST_OF = 100_000;
    private static final int FAR_NS = 8_000;
    private static final int SPREAD_NS = 4_000;
    private static final int HOST_NS = 900;

    private MadeUpAgents() {
    }

    static List<AgentInfo> list(int count) {
        List<AgentInfo> agents = new ArrayList<>();
        for (int id = 0; id < count; id++) {
            int rack = id / PER_RACK;
            agents.add(new AgentInfo(id, "h" + id, "r" + rack, "p" + rack / RACKS_PER_POD, new byte[] {1},
                    ProbeLayout.VERSION, id));
        }
        return agents;
    }

    /** Returns a report of 150 probes, three to each of fifty others. */
    static Report report(List<AgentInfo> agents, int from, long window, long windowNs) {
        SplittableRandom random = new SplittableRandom(window << 20 ^ from);
        List<Tally> tallies = new ArrayList<>(TARGETS * SIZES);
        for (int i = 0; i < TARGETS; i++) {
            int to = (from + 1 + random.nextInt(agents.size() - 1)) % agents.size();
            int flow = random.nextInt(FLOWS);
            int level = i % 2 * SIZES;
            for (int size = 0; size < SIZES; size++) {
                boolean lost = random.nextInt(LOST_OF) == 0;
                long ns = lost ? 0 : FAR_NS + random.nextInt(SPREAD_NS);
                long hostNs = lost ? 0 : HOST_NS + random.nextInt(HOST_NS);
                tallies.add(new Tally(to, flow, size, level, 1, 0, 0, lost ? 1 : 0, 0, 0, ns, ns, hostNs, hostNs));
            }
        }
        return new Report(agents.get(from), window, windowNs, 0, 0, 0, 0, tallies, List.of());
    }

    /** Time that goes by what reports say. */
    static final class ReportTime implements Clock {

        private static final long MILLISECOND_NS = 1_000_000;
        private final long windowNs;
        private volatile long window;

        ReportTime(long windowNs) {
            this.windowNs = windowNs;
        }

        void saw(long seen) {
            synchronized (this) {
                window = Math.max(window, seen);
            }
        }

        @Override
        public long nowNs() {
            return window * windowNs;
        }

        @Override
        public long wallMs() {
            return nowNs() / MILLISECOND_NS;
        }
    }
}
