package org.jvrpc.watch.blame;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.Objects;
import java.util.function.Supplier;
import org.jvrpc.watch.AgentInfo;
import org.jvrpc.watch.Component;
import org.jvrpc.watch.Component.Kind;
import org.jvrpc.watch.PathMap;
import org.jvrpc.watch.Verdict;
import org.jvrpc.watch.report.Report;
import org.jvrpc.watch.report.Tally;

/**
 * Judges by likelihood: who explains most of what is lost, and of what is late, is named, what it explains is taken
 * out, and the rest is judged again. Hosts and racks go first. What nobody explains well enough names nobody. One
 * thread.
 */
public final class PathBlamer implements Blamer {

    /** More than so many at once is a fabric that nobody can judge path by path. */
    private static final int MOST = 16;
    /** The ToR, and behind it the cable and the link of the host. */
    private static final int BEHIND_TOR = 3;
    /** So many parts have both ways of a flow of which ToRs alone are known. */
    private static final int UNTRACED = 4;

    private final PathMap paths;
    private final Supplier<List<AgentInfo>> agents;
    private final Parts parts = new Parts();
    private final Baselines baselines = new Baselines();
    private final Hosts hosts;
    private final Causes causes;
    private final Outages outages;
    private final Deque<Evidence> kept = new ArrayDeque<>();
    /** Probes of the window to other ToRs, and those of them whose ways are known. */
    private long between;
    private long traced;
    private volatile double tracedShare;

    /**
     * Makes one that knows nothing yet: the first window teaches it what times are usual.
     *
     * @param agents those of the registry; tallies of others are no evidence
     */
    public PathBlamer(PathMap paths, Supplier<List<AgentInfo>> agents) {
        this.paths = Objects.requireNonNull(paths, "paths");
        this.agents = Objects.requireNonNull(agents, "agents");
        hosts = new Hosts(parts, paths);
        causes = new Causes(parts, hosts, baselines);
        outages = new Outages(parts);
    }

    @Override
    public List<Verdict> judge(List<Report> window) {
        hosts.know(agents.get());
        hosts.begin();
        between = 0;
        traced = 0;
        Evidence now = new Evidence(window.isEmpty() ? next() : window.get(0).window(),
                window.stream().mapToInt(report -> report.tallies().size()).sum());
        for (Report report : window) {
            if (hosts.state(report.from().id()) != null) {
                hosts.add(report, baselines.delayNs());
                gather(now, report);
            }
        }
        tracedShare = between == 0 ? 0 : (double) traced / between;
        keep(now);
        outages.begin(now);
        List<Verdict> verdicts = new ArrayList<>(hosts.judge(now.window()));
        takeSick();
        List<Evidence> windows = List.copyOf(kept);
        boolean quiet = search(windows, Aspect.LOSS, verdicts) & verdicts.isEmpty() & hosts.sick().isEmpty();
        quiet &= search(windows, Aspect.LATE, verdicts);
        quiet &= search(windows, Aspect.SHIFTED, verdicts);
        if (quiet) {
            learn(now, window);
        }
        return outages.tell(verdicts);
    }

    /** Returns which share of the last window's probes between ToRs took ways that are known. Any thread. */
    public double tracedShare() {
        return tracedShare;
    }

    private long next() {
        return kept.isEmpty() ? 0 : kept.getLast().window() + 1;
    }

    private void keep(Evidence now) {
        kept.addLast(now);
        if (kept.size() > Thresholds.KEPT_WINDOWS) {
            kept.removeFirst();
        }
        kept.forEach(Evidence::reset);
    }

    // ---- what was seen

    private void gather(Evidence now, Report report) {
        HostState from = hosts.state(report.from().id());
        Tally before = null;
        boolean isEvidence = false;
        for (Tally tally : report.tallies()) {
            HostState to = hosts.state(tally.target());
            if (to == null || tally.sent() <= 0) {
                continue;
            }
            boolean same = before != null && before.target() == tally.target() && before.flow() == tally.flow();
            int[] there = same ? null : way(from, to, tally.flow());
            int[] back = same ? null : way(to, from, tally.flow());
            isEvidence = same ? isEvidence : there != null && back != null;
            if (isEvidence) {
                now.add(from.part, to.part, tally, there, back);
            }
            if (from.tor != to.tor) {
                between += tally.sent();
                traced += isEvidence && now.hops(now.count() - 1) > UNTRACED ? tally.sent() : 0;
            }
            before = tally;
        }
    }

    /** Returns the parts of a way; null when it is not known, though others of these racks are. */
    private int[] way(HostState from, HostState to, int flow) {
        List<Component> path = paths.path(from.agent.id(), to.agent.id(), flow);
        if (path.isEmpty()) {
            return from.tor == to.tor ? new int[] {from.tor}
                    : from.isTraced && to.isTraced ? null : new int[] {from.tor, to.tor};
        }
        int[] way = new int[path.size() * 2];
        int end = 0;
        for (Component part : path) {
            if (part.kind() == Kind.LINK && part.name().indexOf('>') > 0) {
                way[end++] = parts.cable(part);
            }
            way[end++] = parts.number(part);
        }
        return Arrays.copyOf(way, end);
    }

    private void takeSick() {
        for (Evidence evidence : kept) {
            hosts.sick().forEach(evidence::takeHost);
            for (int host : hosts.stormy()) {
                takeBeside(evidence, host);
            }
        }
    }

    /** What a host pauses waits in its ToR, and then in front of it, whoever it is for: no times are sound any more. */
    private static void takeBeside(Evidence evidence, int host) {
        int tor = tor(evidence, host);
        for (int flow = 0; flow < evidence.count(); flow++) {
            evidence.takeTimes(flow);
            if (tor >= 0 && (evidence.goesThere(flow, tor) || evidence.comesBack(flow, tor))) {
                evidence.takeAll(flow);
            }
        }
    }

    /** Returns the last switch before a host; -1 when no path has met it. */
    private static int tor(Evidence evidence, int host) {
        for (int flow = 0; flow < evidence.count(); flow++) {
            if (evidence.to(flow) == host && evidence.backAt(flow) - evidence.thereAt(flow) > BEHIND_TOR) {
                return evidence.part(evidence.backAt(flow) - BEHIND_TOR);
            }
        }
        return -1;
    }

    // ---- who explains it

    /** Returns true when nobody is suspected. */
    private boolean search(List<Evidence> windows, Aspect aspect, List<Verdict> verdicts) {
        boolean quiet = true;
        for (int i = 0; i < MOST; i++) {
            Suspect suspect = strongest(windows, aspect);
            if (suspect == null) {
                break;
            }
            quiet = false;
            Witnesses witnesses = new Witnesses(windows, suspect, aspect, baselines);
            boolean named = witnesses.areEnough();
            if (named) {
                verdicts.add(verdict(windows, suspect, aspect, witnesses));
                if (aspect != Aspect.LOSS) {
                    takeNear(windows, suspect);
                }
            }
            witnesses.take(windows, named);
        }
        return quiet;
    }

    /** What is new is told by the latest window, what is weak by all. */
    private Suspect strongest(List<Evidence> windows, Aspect aspect) {
        Sums sums = new Sums(parts);
        Suspect best = null;
        for (int span = 1; span <= windows.size(); span++) {
            Evidence evidence = windows.get(windows.size() - span);
            if (aspect == Aspect.LOSS) {
                sums.addLoss(evidence);
            } else {
                sums.addTimes(evidence, aspect, baselines);
            }
            Suspect next = sums.strongest(aspect, span);
            best = best == null || next != null && next.strength() > best.strength() ? next : best;
        }
        return best;
    }

    private Verdict verdict(List<Evidence> windows, Suspect suspect, Aspect aspect, Witnesses witnesses) {
        return new Verdict(windows.get(windows.size() - 1).window(), parts.part(suspect.part()),
                causes.of(windows, suspect, aspect, witnesses), suspect.strength(), witnesses.lowerBound(),
                suspect.trials(), witnesses.inARow(), causes.tell(suspect, aspect, witnesses));
    }

    /** Who waits fills the switches beside it: their probes are late by it as well. */
    private void takeNear(List<Evidence> windows, Suspect suspect) {
        boolean host = parts.part(suspect.part()).kind() == Kind.HOST;
        for (Evidence evidence : windows) {
            int[] ends = host ? new int[] {tor(evidence, suspect.part())} : parts.ends(suspect.part());
            for (int flow = 0; flow < evidence.count(); flow++) {
                for (int end : ends) {
                    if (evidence.goesThere(flow, end) || evidence.comesBack(flow, end)) {
                        evidence.takeTimes(flow);
                    }
                }
            }
        }
    }

    // ---- what is usual

    private void learn(Evidence now, List<Report> window) {
        baselines.learn(now);
        for (Report report : window) {
            for (Tally tally : report.tallies()) {
                baselines.learnDelay(tally.proberP99Ns());
                baselines.learnDelay(tally.responderP99Ns());
            }
        }
        baselines.settle();
    }
}
