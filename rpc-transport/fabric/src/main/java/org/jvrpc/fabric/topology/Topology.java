package org.jvrpc.fabric.topology;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.jvrpc.fabric.host.Nic;
import org.jvrpc.fabric.host.NicSettings;
import org.jvrpc.fabric.network.Device;
import org.jvrpc.fabric.network.Network;
import org.jvrpc.fabric.network.Port;
import org.jvrpc.fabric.network.Switch;
import org.jvrpc.fabric.network.SwitchSettings;

/**
 * A Clos of podsets: hosts at ToRs; each ToR of a podset at each of its leaves; each leaf at its share of the spines,
 * the same share in each podset. A star is one ToR; two tiers are one podset without spines. Packets go up to any
 * common ancestor, then down. All tables are filled: each host has just answered.
 */
public final class Topology {

    /** When all hosts have answered. */
    private static final long SETTLE_NS = 10_000;
    /** Host, ToR, leaf, spine, leaf, ToR. */
    private static final int MOST_HOPS = 6;

    private final Network network;
    private final Links links;
    private final List<Nic> hosts = new ArrayList<>();
    private final List<Switch> tors = new ArrayList<>();
    private final List<Switch> leaves = new ArrayList<>();
    private final List<Switch> spines = new ArrayList<>();
    private final int podsets;
    private final int hostsPerTor;
    private final int torsPerPodset;
    private final int leavesPerPodset;

    private Topology(Network network, Links links, int podsets, int leavesPerPodset, int torsPerPodset,
            int hostsPerTor) {
        this.network = network;
        this.links = links;
        this.podsets = podsets;
        this.leavesPerPodset = leavesPerPodset;
        this.torsPerPodset = torsPerPodset;
        this.hostsPerTor = hostsPerTor;
    }

    /** Makes hosts at one switch. */
    public static Topology star(Network network, Links links, SwitchSettings switches, NicSettings nics,
            long memoryBytes, int hosts) {
        return clos(network, links, switches, nics, memoryBytes, 1, 0, 1, hosts, 0);
    }

    /** Makes ToRs that are all joined to all leaves. */
    public static Topology twoTier(Network network, Links links, SwitchSettings switches, NicSettings nics,
            long memoryBytes, int leaves, int tors, int hostsPerTor) {
        return clos(network, links, switches, nics, memoryBytes, 1, leaves, tors, hostsPerTor, 0);
    }

    /**
     * Makes podsets.
     *
     * @param memoryBytes registered at each host
     * @param leaves of a podset, as {@code tors}
     * @param spines of all, a multiple of {@code leaves}
     */
    public static Topology clos(Network network, Links links, SwitchSettings switches, NicSettings nics,
            long memoryBytes, int podsets, int leaves, int tors, int hostsPerTor, int spines) {
        return clos(network, links, name -> switches, nics, memoryBytes, podsets, leaves, tors, hostsPerTor, spines);
    }

    /**
     * Makes podsets of switches that differ.
     *
     * @param switches settings by the switch's {@link #name}: T0, L0, S0 and on; one may be that of several
     */
    public static Topology clos(Network network, Links links, Function<String, SwitchSettings> switches,
            NicSettings nics, long memoryBytes, int podsets, int leaves, int tors, int hostsPerTor, int spines) {
        Topology made = new Topology(network, links, podsets, leaves, tors, hostsPerTor);
        for (int i = 0; i < podsets * tors * hostsPerTor; i++) {
            made.hosts.add(new Nic(network, nics, memoryBytes));
        }
        for (int i = 0; i < podsets * tors; i++) {
            made.tors.add(new Switch(network, switches.apply("T" + i), hostsPerTor + leaves));
        }
        int share = leaves == 0 ? 0 : spines / leaves;
        for (int i = 0; i < podsets * leaves; i++) {
            made.leaves.add(new Switch(network, switches.apply("L" + i), tors + share));
        }
        for (int i = 0; i < spines; i++) {
            made.spines.add(new Switch(network, switches.apply("S" + i), podsets));
        }
        made.join(share);
        made.route(share);
        for (Nic host : made.hosts) {
            host.announce(0);
        }
        network.events().runUntil(SETTLE_NS);
        return made;
    }

    private void join(int share) {
        for (int host = 0; host < hosts.size(); host++) {
            join(tors.get(host / hostsPerTor).addPort(links.bitsPerSecond(), links.hostNs()),
                    hosts.get(host).addPort(links.bitsPerSecond(), links.hostNs()));
        }
        for (int tor = 0; tor < tors.size(); tor++) {
            for (int leaf = 0; leaf < leavesPerPodset; leaf++) {
                join(tors.get(tor).addPort(links.bitsPerSecond(), links.leafNs()),
                        leaf(tor / torsPerPodset, leaf).addPort(links.bitsPerSecond(), links.leafNs()));
            }
        }
        for (int spine = 0; spine < spines.size(); spine++) {
            for (int podset = 0; podset < podsets; podset++) {
                join(leaf(podset, spine / share).addPort(links.bitsPerSecond(), links.spineNs()),
                        spines.get(spine).addPort(links.bitsPerSecond(), links.spineNs()));
            }
        }
    }

    private static void join(Port a, Port b) {
        Network.join(a, b);
    }

    private Switch leaf(int podset, int index) {
        return leaves.get(podset * leavesPerPodset + index);
    }

    private void route(int share) {
        for (int tor = 0; tor < tors.size(); tor++) {
            int[][] routes = new int[hosts.size()][];
            int[] up = range(hostsPerTor, leavesPerPodset);
            for (int host = 0; host < hosts.size(); host++) {
                routes[host] = host / hostsPerTor == tor ? null : up;
            }
            tors.get(tor).route(routes);
        }
        for (int leaf = 0; leaf < leaves.size(); leaf++) {
            int[][] routes = new int[hosts.size()][];
            int[] up = range(torsPerPodset, share);
            int[][] down = singles(torsPerPodset);
            for (int host = 0; host < hosts.size(); host++) {
                int tor = host / hostsPerTor;
                routes[host] = tor / torsPerPodset == leaf / leavesPerPodset ? down[tor % torsPerPodset] : up;
            }
            leaves.get(leaf).route(routes);
        }
        int[][] downs = singles(podsets);
        int[][] routes = new int[hosts.size()][];
        for (int host = 0; host < hosts.size(); host++) {
            routes[host] = downs[host / hostsPerTor / torsPerPodset];
        }
        for (Switch spine : spines) {
            spine.route(routes);
        }
    }

    private static int[] range(int from, int count) {
        int[] range = new int[count];
        for (int i = 0; i < count; i++) {
            range[i] = from + i;
        }
        return range;
    }

    private static int[][] singles(int count) {
        int[][] singles = new int[count][];
        for (int i = 0; i < count; i++) {
            singles[i] = new int[] {i};
        }
        return singles;
    }

    /**
     * Returns the ports by which packets of a flow leave, in order: the host's, then those of switches, the last of
     * which leads to {@code to}. It is what a traceroute of that flow tells now: where a switch does not know where a
     * packet goes, or would flood it, the list ends. Loss and pauses do not matter.
     *
     * @param from number of a host, as {@code to}; not the same
     * @param sourcePort of UDP, as it is in packets: see {@link org.jvrpc.fabric.host.EndpointSettings#sourcePort()}
     */
    public List<Port> path(int from, int to, int sourcePort) {
        if (from < 0 || from >= hosts.size() || to < 0 || to >= hosts.size() || from == to) {
            throw new IllegalArgumentException("from=" + from + " to=" + to + " hosts=" + hosts.size());
        }
        List<Port> path = new ArrayList<>(MOST_HOPS);
        Port port = tors.get(from / hostsPerTor).port(from % hostsPerTor).peer();
        path.add(port);
        while (port.peer().device() instanceof Switch at && path.size() < MOST_HOPS) {
            int egress = at.egress(from, to, sourcePort);
            if (egress < 0) {
                break;
            }
            port = at.port(egress);
            path.add(port);
        }
        return path;
    }

    public Network network() {
        return network;
    }

    public List<Nic> hosts() {
        return hosts;
    }

    /** Returns how many pauses switches sent. */
    public long switchPauses() {
        long pauses = 0;
        for (Switch device : switches()) {
            for (int port = 0; port < device.ports(); port++) {
                pauses += device.port(port).sentPauses();
            }
        }
        return pauses;
    }

    /** Returns how many frames switches had no room for. */
    public long switchDrops() {
        return switches().stream().map(Switch::counters)
                .mapToLong(counters -> counters.headroomDrops() + counters.lossyDrops()).sum();
    }

    public Nic host(int index) {
        return hosts.get(index);
    }

    public List<Switch> tors() {
        return tors;
    }

    public List<Switch> leaves() {
        return leaves;
    }

    public List<Switch> spines() {
        return spines;
    }

    /** Returns what a device is called: H3, T0, L1, S2. */
    public String name(Device device) {
        int mac = device.mac();
        if (mac < hosts.size()) {
            return "H" + mac;
        }
        int index = mac - hosts.size();
        if (index < tors.size()) {
            return "T" + index;
        }
        index -= tors.size();
        return index < leaves.size() ? "L" + index : "S" + (index - leaves.size());
    }

    /** Returns how far up a device is: 0 for a host, 1 for a ToR, 2 for a leaf, 3 for a spine. */
    public int tier(Device device) {
        int index = device.mac() - hosts.size();
        return index < 0 ? 0 : index < tors.size() ? 1 : index < tors.size() + leaves.size() ? 2 : 3;
    }

    /** Returns all switches, from the hosts up. */
    public List<Switch> switches() {
        List<Switch> all = new ArrayList<>(tors);
        all.addAll(leaves);
        all.addAll(spines);
        return all;
    }
}
