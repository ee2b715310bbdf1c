package org.jvrpc.fabric.experiment;

import java.util.ArrayList;
import java.util.List;
import org.jvrpc.fabric.host.EndpointSettings;
import org.jvrpc.fabric.host.NicSettings;
import org.jvrpc.fabric.host.RcEndpoint;
import org.jvrpc.fabric.host.Stream;
import org.jvrpc.fabric.network.BufferSettings;
import org.jvrpc.fabric.network.Network;
import org.jvrpc.fabric.network.Pause;
import org.jvrpc.fabric.network.Switch;
import org.jvrpc.fabric.network.SwitchSettings;
import org.jvrpc.fabric.topology.Links;
import org.jvrpc.fabric.topology.Topology;
import org.jvrpc.fabric.trace.Watcher;
import org.jvrpc.roce.congestion.DcqcnParameters;
import org.jvrpc.roce.congestion.EcnMarking;
import org.jvrpc.roce.rc.RcAttributes;
import org.jvrpc.roce.rc.SendWork.Operation;

/**
 * SIGCOMM'16, 5.4: two podsets whose ToRs are paired; eight servers of each ToR send to eight of the other as fast as
 * they can, each pair by eight QPs, both ways. ECMP puts many of them on some links and few on others.
 */
public final class EcmpThroughput {

    /**
     * A network and its traffic.
     *
     * @param leaves of a podset, as {@code tors}
     * @param sendersPerTor hosts of a ToR that take part
     * @param qpsPerPair of one direction
     */
    public record Size(int leaves, int tors, int hostsPerTor, int spines, int sendersPerTor, int qpsPerPair) {

        /** Returns that of the paper: 1,152 servers, and 3,072 QPs; it says 3,074. */
        public static Size paper() {
            return new Size(4, 24, 24, 64, 8, 8);
        }

        /** Returns a quarter of it in each direction. */
        public static Size small() {
            return new Size(2, 6, 8, 16, 8, 8);
        }
    }

    /** Which QPs begin a message together, when all have ended the one before. */
    public enum Coupling {
        /** Each for itself. */
        NONE,
        /** Those of a server. */
        SERVER,
        /** All there are, so that all have the same rate. */
        ALL
    }

    /**
     * What came of it.
     *
     * @param utilization of the links between leaves and spines, up, with all headers
     */
    public record Result(String dcqcn, String marking, Coupling coupling, int servers, int connections, double terabits,
            double capacityTerabits, double utilization, long drops, long pauses, long marked, long hops) {
    }

    private static final int PODSETS = 2;
    private static final int FRAME = 1086;
    private static final int WORKS = 2;

    private final Topology clos;
    private final Size size;
    private final long messageBytes;
    private final int window;
    private final Coupling coupling;
    private final DcqcnParameters dcqcn;
    private final Stream.Round all = new Stream.Round();
    private final List<RcEndpoint> pairs = new ArrayList<>();
    private int connections;

    private EcmpThroughput(Topology clos, Size size, long messageBytes, int window, Coupling coupling,
            DcqcnParameters dcqcn) {
        this.clos = clos;
        this.size = size;
        this.messageBytes = messageBytes;
        this.window = window;
        this.coupling = coupling;
        this.dcqcn = dcqcn;
    }

    /**
     * Runs it.
     *
     * @param messageBytes of each SEND
     * @param window packets of a QP that may be under way: cards have no bound but that of PSNs
     * @param coupling which QPs wait for each other
     * @param dcqcn null: no congestion control
     * @param marking null: none
     */
    public static Result run(Size size, long messageBytes, int window, Coupling coupling, DcqcnParameters dcqcn,
            EcnMarking marking, long warmUpNs, long durationNs, long seed, Watcher watcher) {
        Network network = new Network(seed, watcher.needsPayloads(), 1024);
        Links links = Links.defaults();
        int headroom = Pause.headroomBytes(links.bitsPerSecond(), links.spineNs(), 0, FRAME);
        SwitchSettings switches = new SwitchSettings().marking(marking)
                .buffer(BufferSettings.defaults().withHeadroom(headroom));
        Topology clos = Topology.clos(network, links, switches, new NicSettings(), messageBytes, PODSETS, size.leaves(),
                size.tors(), size.hostsPerTor(), size.spines());
        watcher.begins(clos, warmUpNs + durationNs);
        int connections = new EcmpThroughput(clos, size, messageBytes, window, coupling, dcqcn).connect();
        network.events().runUntil(network.nowNs() + warmUpNs);
        long before = upBytes(clos, size);
        network.events().runUntil(network.nowNs() + durationNs);
        double terabits = (upBytes(clos, size) - before) * 8.0 / durationNs / 1000;
        double capacity = PODSETS * size.spines() * links.bitsPerSecond() * 1e-12;
        long marked = clos.switches().stream().mapToLong(device -> device.counters().marked()).sum();
        return new Result(dcqcn == null ? "none" : dcqcn.name(), String.valueOf(marking), coupling,
                clos.hosts().size(), connections, terabits, capacity, terabits / capacity, clos.switchDrops(),
                clos.switchPauses(), marked, network.hops());
    }

    private int connect() {
        int perPodset = size.tors() * size.hostsPerTor();
        for (int tor = 0; tor < size.tors(); tor++) {
            for (int server = 0; server < size.sendersPerTor(); server++) {
                int one = tor * size.hostsPerTor() + server;
                connect(one, perPodset + one);
                connect(perPodset + one, one);
            }
        }
        for (int i = 0; i < pairs.size(); i += 2) {
            RcEndpoint.connect(pairs.get(i), pairs.get(i + 1));
        }
        return connections;
    }

    private void connect(int from, int to) {
        Stream.Round round = coupling == Coupling.ALL ? all : new Stream.Round();
        for (int qp = 0; qp < size.qpsPerPair(); qp++) {
            EndpointSettings settings = new EndpointSettings(
                    RcAttributes.defaults().withWindow(window, 64), WORKS, 3, 0, dcqcn).withPort(connections++);
            Stream stream = new Stream(Operation.SEND, messageBytes, Long.MAX_VALUE);
            RcEndpoint sender = clos.host(from).endpoint(settings, stream);
            if (coupling != Coupling.NONE) {
                round.add(stream, sender);
            }
            pairs.add(sender);
            pairs.add(clos.host(to).endpoint(settings, new Stream(Operation.SEND, messageBytes, 0)));
        }
    }

    private static long upBytes(Topology clos, Size size) {
        long bytes = 0;
        for (Switch leaf : clos.leaves()) {
            for (int port = size.tors(); port < leaf.ports(); port++) {
                bytes += leaf.port(port).sentBytes() + leaf.port(port).sentFrames() * 20;
            }
        }
        return bytes;
    }
}
