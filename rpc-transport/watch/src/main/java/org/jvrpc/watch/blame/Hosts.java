package org.jvrpc.watch.blame;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jvrpc.watch.AgentInfo;
import org.jvrpc.watch.Cause;
import org.jvrpc.watch.Component;
import org.jvrpc.watch.Component.Kind;
import org.jvrpc.watch.PathMap;
import org.jvrpc.watch.RackNames;
import org.jvrpc.watch.Verdict;
import org.jvrpc.watch.report.Report;
import org.jvrpc.watch.report.Tally;

/** Judges hosts and whole racks, before paths are judged: a sick host would smear over its ToR. */
final class Hosts {

    private static final double MILLION = 1e6;

    private final Parts parts;
    private final PathMap paths;
    private RackNames names = RackNames.of(List.of());
    private Map<Integer, HostState> states = new LinkedHashMap<>();
    private List<AgentInfo> known = List.of();
    /** Hosts whose probes are no evidence about paths any more. */
    private final Set<Integer> sick = new HashSet<>();
    /** Hosts whose pauses hold others up. */
    private final Set<Integer> stormy = new HashSet<>();
    private final Set<String> deadRacks = new HashSet<>();

    Hosts(Parts parts, PathMap paths) {
        this.parts = parts;
        this.paths = paths;
    }

    /** Takes the list of agents; what is known of those that stay is kept. */
    void know(List<AgentInfo> agents) {
        if (agents == known) {
            return;
        }
        known = agents;
        names = RackNames.of(agents);
        Map<Integer, HostState> next = new LinkedHashMap<>();
        for (AgentInfo agent : agents) {
            HostState old = states.get(agent.id());
            next.put(agent.id(), old != null && old.agent.incarnation() == agent.incarnation()
                    && old.agent.name().equals(agent.name()) ? old
                    : new HostState(agent, parts.number(new Component(Kind.HOST, agent.name()))));
        }
        states = next;
    }

    HostState state(int agent) {
        return states.get(agent);
    }

    Iterable<HostState> all() {
        return states.values();
    }

    void begin() {
        states.values().forEach(HostState::begin);
        sick.clear();
        stormy.clear();
        deadRacks.clear();
        racks().values().forEach(this::hang);
    }

    private Map<String, List<HostState>> racks() {
        Map<String, List<HostState>> racks = new LinkedHashMap<>();
        states.values().forEach(host -> racks.computeIfAbsent(host.rack, unused -> new ArrayList<>()).add(host));
        return racks;
    }

    /** Finds the ToRs of a rack's hosts: those that the paths tell; the others hang on the rack's one. */
    private void hang(List<HostState> rack) {
        boolean isTraced = rack.stream().anyMatch(host -> paths.isTraced(host.agent.id()));
        Map<HostState, Component> told = new HashMap<>();
        for (HostState host : rack) {
            host.isTraced = isTraced;
            Component tor = paths.tor(host.agent.id());
            if (tor != null) {
                told.put(host, tor);
            }
        }
        Set<Component> tors = new HashSet<>(told.values());
        Component common = tors.size() == 1 ? tors.iterator().next()
                : new Component(Kind.TOR, names.name(rack.get(0).agent));
        rack.forEach(host -> host.tor = parts.number(told.getOrDefault(host, common)));
    }

    void add(Report report, long delayLimitNs) {
        HostState prober = states.get(report.from().id());
        prober.reported(report);
        for (Tally tally : report.tallies()) {
            HostState target = states.get(tally.target());
            if (target != null) {
                boolean near = prober.rack.equals(target.rack);
                target.probed(prober.agent, near, tally.sent(),
                        tally.lostForward() + tally.lostBack() + tally.lostUnknown());
                target.delay(tally.responderP99Ns(), delayLimitNs, prober.agent.id());
                prober.delay(tally.proberP99Ns(), delayLimitNs, target.agent.id());
            }
        }
    }

    /** Returns what is wrong with hosts and racks. */
    List<Verdict> judge(long window) {
        states.values().forEach(HostState::end);
        List<Verdict> verdicts = new ArrayList<>(racks(window));
        for (HostState host : states.values()) {
            if (!deadRacks.contains(host.rack)) {
                Verdict verdict = judge(window, host);
                if (verdict != null) {
                    verdicts.add(verdict);
                }
            }
        }
        return verdicts;
    }

    private List<Verdict> racks(long window) {
        Map<String, List<HostState>> racks = racks();
        List<Verdict> verdicts = new ArrayList<>();
        racks.forEach((name, hosts) -> {
            if (isRackDead(hosts)) {
                deadRacks.add(name);
                hosts.forEach(host -> sick.add(host.part));
                verdicts.add(rackVerdict(window, hosts));
            }
        });
        if (racks.size() > 2 && verdicts.size() * 2 > racks.size()) {
            Verdict first = verdicts.get(0);
            return List.of(new Verdict(window, new Component(Kind.FABRIC, "fabric"), Cause.DOWN, first.strength(),
                    first.share(), first.observations(), first.windows(), "most racks cannot be reached from others"));
        }
        return verdicts;
    }

    private static boolean isRackDead(List<HostState> hosts) {
        int probed = 0;
        for (HostState host : hosts) {
            if (host.isProbed() && host.sentFromAfar > 0) {
                probed++;
                if (!host.isDead() && !host.isCutOff()) {
                    return false;
                }
            }
        }
        return probed >= Thresholds.PROBERS && probed * 2 >= hosts.size();
    }

    private Verdict rackVerdict(long window, List<HostState> hosts) {
        long sent = 0;
        long lost = 0;
        long silent = 0;
        for (HostState host : hosts) {
            sent += host.sentFromAfar;
            lost += host.lostFromAfar;
            silent += host.reports ? 0 : 1;
        }
        int tor = hosts.get(0).tor;
        Component who = hosts.stream().allMatch(host -> host.tor == tor) ? parts.part(tor)
                : new Component(Kind.TOR, names.name(hosts.get(0).agent));
        return new Verdict(window, who, Cause.DOWN,
                Likelihood.ratio(sent, lost, Thresholds.LOSS), Likelihood.lowerBound(sent, lost), sent,
                hosts.stream().mapToInt(host -> Math.max(1, host.deadWindows)).max().orElse(1),
                String.format(Locale.ROOT,
                        "%d of %d probes of other racks to all its hosts lost; %d of %d agents silent", lost, sent,
                        silent, hosts.size()));
    }

    private Verdict judge(long window, HostState host) {
        if (host.isDead()) {
            sick.add(host.part);
            boolean storm = host.reports && host.pauses > 0;
            if (storm) {
                stormy.add(host.part);
            }
            return host.isSurelyDead() ? dead(window, host, storm) : null;
        }
        if (host.isHeldUp()) {
            sick.add(host.part);
            return host.isSurelyHeldUp() ? heldUp(window, host) : null;
        }
        if (!host.reports && host.everReported && host.silentWindows >= Thresholds.WINDOWS && host.isProbed()) {
            return new Verdict(window, new Component(Kind.AGENT, host.agent.name()), Cause.DOWN, host.sentTo, 1,
                    host.sentTo, host.silentWindows, String.format(Locale.ROOT,
                            "no report in %d windows, yet it answers: %d of %d probes", host.silentWindows,
                            host.sentTo - host.lostTo, host.sentTo));
        }
        return null;
    }

    private static Verdict dead(long window, HostState host, boolean storm) {
        String what = String.format(Locale.ROOT, "%d of %d probes of %d hosts to it lost; %s", host.lostTo, host.sentTo,
                host.probers.size(), storm ? "it sent " + host.pauses + " pauses"
                        : host.reports ? "its agent still reports" : "its agent is silent");
        return new Verdict(window, new Component(Kind.HOST, host.agent.name()),
                storm ? Cause.PAUSE_STORM : Cause.DOWN, host.strengthOfLoss(),
                Likelihood.lowerBound(host.sentTo, host.lostTo), host.sentTo, host.deadWindows, what);
    }

    private static Verdict heldUp(long window, HostState host) {
        HostState.Delays told = host.delays();
        return new Verdict(window, new Component(Kind.HOST, host.agent.name()), Cause.HOST_STALL, told.strength(),
                Likelihood.lowerBound(told.all, told.bad), told.all, host.heldUpWindows, String.format(Locale.ROOT,
                        "%d of %d delays of its own were far longer than usual, the longest now %.3f ms", told.bad,
                        told.all, host.worstDelayNs / MILLION));
    }

    Set<Integer> sick() {
        return sick;
    }

    Set<Integer> stormy() {
        return stormy;
    }
}
