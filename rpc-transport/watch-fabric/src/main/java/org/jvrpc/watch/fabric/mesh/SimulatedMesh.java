package org.jvrpc.watch.fabric.mesh;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.List;
import org.jvrpc.fabric.cost.HostCosts;
import org.jvrpc.fabric.event.Chance;
import org.jvrpc.fabric.host.Nic;
import org.jvrpc.fabric.host.NicSettings;
import org.jvrpc.fabric.network.Network;
import org.jvrpc.fabric.network.SwitchSettings;
import org.jvrpc.fabric.topology.Links;
import org.jvrpc.fabric.topology.Topology;
import org.jvrpc.watch.AgentInfo;
import org.jvrpc.watch.PathMap;
import org.jvrpc.watch.Reading;
import org.jvrpc.watch.Unit;
import org.jvrpc.watch.probe.ProbeKeys;
import org.jvrpc.watch.registry.FixedRegistry;
import org.jvrpc.watch.report.Report;

/**
 * A fabric at each of whose hosts an agent runs, as it would on a host: from one registry, with seals, at times of its
 * own. What they report is gathered window by window. Equal settings and seeds give equal reports.
 */
public final class SimulatedMesh {

    private static final int MTU = 2048;
    private static final int FLOWS = 64;
    /** Of a window, in which reports of the one before are looked for. */
    private static final int STEPS = 20;
    /** Of a window, which is more than a round trip. */
    private static final int UNDER_WAY = 200;
    /** As in section 4 of the plan of rperf: free to choose. */
    private static final HostCosts COSTS = new HostCosts(80, 350, 10, 250, 10, 50);
    private static final ProbeKeys KEYS = ProbeKeys.of(1, new byte[16]);

    private final MeshSettings settings;
    private final Topology topology;
    private final TracedPaths paths;
    private final Background background;
    private final List<SimulatedAgent> programs = new ArrayList<>();
    private final List<AgentInfo> agents;
    /** Reports that nobody has asked for yet. */
    private final List<Report> given = new ArrayList<>();
    private final BitSet cutOff = new BitSet();
    private long window;

    /** Builds it. */
    public SimulatedMesh(MeshSettings settings, long seed) {
        this.settings = settings;
        Network network = new Network(seed, true, MTU);
        Links links = Links.defaults();
        topology = Topology.clos(network, links, new SwitchSettings(), new NicSettings().costs(COSTS),
                Background.MESSAGE, settings.podsets(), settings.leaves(), settings.tors(), settings.hostsPerTor(),
                settings.spines());
        paths = new TracedPaths(topology);
        Chance chance = network.chance(topology.hosts().size() + topology.switches().size());
        for (int host = 0; host < settings.hosts(); host++) {
            int tor = host / settings.hostsPerTor();
            programs.add(new SimulatedAgent(new SimulatedProbes(topology.host(host), FLOWS), host, "H" + host,
                    "T" + tor, "P" + tor / settings.tors()));
        }
        agents = programs.stream().map(SimulatedAgent::info).toList();
        FixedRegistry registry = new FixedRegistry();
        registry.set(agents);
        for (int host = 0; host < settings.hosts(); host++) {
            SimulatedAgent program = programs.get(host);
            Nic nic = topology.host(host);
            program.start(settings.agent(), KEYS, registry, this::take, chance.fork(host).bits());
            program.agent().withCounters(() -> counters(nic));
        }
        background = new Background(topology, settings, links.bitsPerSecond(), chance.fork(settings.hosts()));
    }

    private static List<Reading> counters(Nic nic) {
        return List.of(
                Reading.of("nic", 1, "tx_prio3_pause", nic.port().sentPauses(GreyFailure.LOSSLESS), Unit.COUNT),
                Reading.of("nic", 1, "rx_icrc_encapsulated", nic.counters().damaged(), Unit.COUNT));
    }

    private void take(Report report) {
        if (!cutOff.get(report.from().id())) {
            given.add(report);
        }
    }

    /** What an agent reports from now on reaches nobody. */
    void cutOff(int host) {
        cutOff.set(host);
    }

    /** Runs to the end of the window: the next nanosecond, agents are in the next one. */
    void run() {
        runUntil((window + 1) * settings.windowNs() - 1);
    }

    /** Runs so far into the next window that what was under way has come. */
    void settle() {
        runUntil((window + 1) * settings.windowNs() + settings.windowNs() / UNDER_WAY);
    }

    /** Waits for reports of the window that has ended, nearly to the end of the next one, and returns them by agent. */
    List<Report> gather() {
        long endNs = (window + 1) * settings.windowNs();
        long stepNs = settings.windowNs() / STEPS;
        for (int i = 1; i < STEPS && given.stream().filter(report -> report.window() == window).count()
                < programs.size(); i++) {
            runUntil(endNs + i * stepNs);
        }
        List<Report> reports = given.stream().filter(report -> report.window() == window)
                .sorted(Comparator.comparingInt(report -> report.from().id())).toList();
        given.removeIf(report -> report.window() <= window);
        window++;
        return reports;
    }

    private void runUntil(long ns) {
        topology.network().events().runUntil(ns);
    }

    /** Runs one window and returns what agents report of it, while the next one has begun. */
    public List<Report> window() {
        run();
        return gather();
    }

    /** Returns what the registry knows. */
    public List<AgentInfo> agents() {
        return agents;
    }

    /** Returns what a traceroute would tell. */
    public PathMap paths() {
        return paths;
    }

    public MeshSettings settings() {
        return settings;
    }

    public Topology topology() {
        return topology;
    }

    TracedPaths traced() {
        return paths;
    }

    SimulatedAgent program(int host) {
        return programs.get(host);
    }

    /** Returns what streams of the background have moved, in bytes. */
    public long backgroundBytes() {
        return background.completedBytes();
    }
}
