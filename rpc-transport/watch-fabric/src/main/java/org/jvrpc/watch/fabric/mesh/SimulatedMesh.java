package org.jvrpc.watch.fabric.mesh;

import java.util.ArrayList;
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
import org.jvrpc.watch.report.Report;

/** A fabric all of whose hosts probe each other, window by window. Equal settings and seeds give equal reports. */
public final class SimulatedMesh {

    private static final int MTU = 2048;
    private static final int LOSSLESS = 3;
    /** As in section 4 of the plan of rperf: free to choose. */
    private static final HostCosts COSTS = new HostCosts(80, 350, 10, 250, 10, 50);

    private final MeshSettings settings;
    private final Topology topology;
    private final TracedPaths paths;
    private final Background background;
    private final List<AgentInfo> agents = new ArrayList<>();
    private final List<ModelAgent> programs = new ArrayList<>();
    private final Chance chance;
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
        chance = network.chance(topology.hosts().size() + topology.switches().size());
        for (int host = 0; host < settings.hosts(); host++) {
            int tor = host / settings.hostsPerTor();
            agents.add(new AgentInfo(host, "H" + host, "T" + tor, "P" + tor / settings.tors(),
                    topology.host(host).address(), 1, 1));
            programs.add(new ModelAgent(host, topology.host(host), settings, chance.fork(host)));
        }
        background = new Background(topology, settings, links.bitsPerSecond(), chance.fork(settings.hosts()));
    }


    /** Runs one window, and returns what agents report that are alive and can be reached. */
    public List<Report> window() {
        programs.forEach(ModelAgent::begin);
        topology.network().events().runUntil(topology.network().nowNs() + settings.windowNs());
        List<Report> reports = new ArrayList<>();
        for (int host = 0; host < programs.size(); host++) {
            ModelAgent program = programs.get(host);
            if (!program.isDead()) {
                reports.add(new Report(agents.get(host), window, settings.windowNs(), 0, 0, 0, 0, program.tallies(),
                        counters(program.nic())));
            }
        }
        window++;
        return reports;
    }

    private static List<Reading> counters(Nic nic) {
        return List.of(
                Reading.of("nic", 1, "tx_prio3_pause", nic.port().sentPauses(LOSSLESS), Unit.COUNT),
                Reading.of("nic", 1, "rx_icrc_encapsulated", nic.counters().damaged(), Unit.COUNT));
    }

    /** Returns what a registry would know. */
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

    ModelAgent program(int host) {
        return programs.get(host);
    }

    /** Returns what streams of the background have moved, in bytes. */
    public long backgroundBytes() {
        return background.completedBytes();
    }
}
