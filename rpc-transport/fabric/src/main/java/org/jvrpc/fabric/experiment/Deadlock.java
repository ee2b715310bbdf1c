package org.jvrpc.fabric.experiment;

import java.util.ArrayList;
import java.util.List;
import org.jvrpc.fabric.host.EndpointSettings;
import org.jvrpc.fabric.host.NicSettings;
import org.jvrpc.fabric.host.RcEndpoint;
import org.jvrpc.fabric.host.Stream;
import org.jvrpc.fabric.network.BufferSettings;
import org.jvrpc.fabric.network.Network;
import org.jvrpc.fabric.network.PauseGraph;
import org.jvrpc.fabric.network.Switch;
import org.jvrpc.fabric.network.SwitchSettings;
import org.jvrpc.fabric.topology.Links;
import org.jvrpc.fabric.topology.Topology;
import org.jvrpc.fabric.trace.Watcher;
import org.jvrpc.roce.rc.RcAttributes;
import org.jvrpc.roce.rc.SendWork.Operation;

/**
 * SIGCOMM'16, 4.2: ToRs T0 and T1, leaves La and Lb. Two hosts die; after five minutes the ToRs have forgotten their
 * MAC addresses, not their ARP entries, and flood what is sent to them, up to the leaves as well. Packets to T1 go by
 * La, those to T0 by Lb. An incast at T1 begins a chain of pauses, and flooded packets close it to a cycle.
 */
public final class Deadlock {

    /**
     * What came of it.
     *
     * @param flooded packets sent to all ports
     * @param cycle the lanes that wait for each other, at the end of traffic
     * @param cycleLater the same long after all traffic ended and the dead hosts are there again
     * @param heldBytes in switches then
     * @param incastBytes that arrived from the live host while there was traffic
     */
    public record Result(long flooded, List<String> cycle, List<String> cycleLater, long heldBytes, long incastBytes,
            long headroomDrops) {
    }

    private static final long MESSAGE = 1 << 20;
    private static final long SECOND_NS = 1_000_000_000;
    private static final long MILLISECOND_NS = 1_000_000;
    private static final int HOSTS = 5;
    /** QPs to a dead host, each of which sends a window for each time-out. Free, as the next two are. */
    private static final int DEAD_QPS = 8;
    private static final int WINDOW = 1024;
    private static final long ACK_TIMEOUT_NS = 2 * MILLISECOND_NS;

    private final Watcher watcher;
    private final Network network;
    private final Topology tiers;
    private final List<Stream> streams = new ArrayList<>();
    private final List<RcEndpoint> senders = new ArrayList<>();
    private int nextPort;

    private Deadlock(boolean cure, BufferSettings buffer, long seed, Watcher watcher) {
        this.watcher = watcher;
        network = new Network(seed, watcher.needsPayloads(), 1024);
        SwitchSettings switches = new SwitchSettings().buffer(buffer).dropsIncomplete(cure);
        tiers = Topology.twoTier(network, Links.defaults(), switches, new NicSettings(), MESSAGE, 2, 2, HOSTS);
        pin(0);
        pin(1);
    }

    /** Has a ToR send up by one leaf only: T0 by La, T1 by Lb. */
    private void pin(int tor) {
        int[][] routes = new int[2 * HOSTS][];
        for (int host = 0; host < routes.length; host++) {
            routes[host] = host / HOSTS == tor ? null : new int[] {HOSTS + tor};
        }
        tiers.tors().get(tor).route(routes);
    }

    private Stream connect(int from, int to) {
        RcAttributes attributes = RcAttributes.defaults().withWindow(WINDOW, 64).withRetries(7, 7, ACK_TIMEOUT_NS);
        EndpointSettings settings = EndpointSettings.of(attributes).withPort(nextPort++);
        Stream stream = new Stream(Operation.WRITE, MESSAGE, Long.MAX_VALUE);
        stream.hold(true);
        RcEndpoint sender = tiers.host(from).endpoint(settings, stream);
        RcEndpoint.connect(sender, tiers.host(to).endpoint(settings, new Stream(Operation.WRITE, MESSAGE, 0)));
        streams.add(stream);
        senders.add(sender);
        return stream;
    }

    /**
     * Runs it.
     *
     * @param cure lossless packets for incomplete entries are dropped
     * @param trafficNs how long hosts send
     * @param laterNs how long they do not, afterwards
     */
    public static Result run(boolean cure, BufferSettings buffer, long trafficNs, long laterNs, long seed,
            Watcher watcher) {
        return new Deadlock(cure, buffer, seed, watcher).run(trafficNs, laterNs);
    }

    private Result run(long trafficNs, long laterNs) {
        int s1 = 0;
        int s2 = 1;
        int s3 = HOSTS;
        int s4 = HOSTS + 1;
        int s5 = HOSTS + 2;
        for (int i = 0; i < DEAD_QPS; i++) {
            connect(s1, s3);
            connect(s4, s2);
        }
        List<Stream> incast = List.of(connect(s1, s5), connect(2, s5), connect(HOSTS + 3, s5), connect(HOSTS + 4, s5));
        tiers.hosts().forEach(host -> host.announce(60 * SECOND_NS));
        network.events().runUntil(SECOND_NS);
        tiers.host(s2).kill();
        tiers.host(s3).kill();
        network.events().runUntil(310 * SECOND_NS); // the others go on announcing themselves
        watcher.begins(tiers, trafficNs + Math.min(trafficNs, laterNs));
        streams.forEach(stream -> stream.hold(false));
        senders.forEach(RcEndpoint::posted);
        network.events().runUntil(network.nowNs() + trafficNs);
        List<String> cycle = cycle();
        long arrived = incast.stream().mapToLong(Stream::completedBytes).sum();
        streams.forEach(Stream::stop);
        tiers.host(s2).restart();
        tiers.host(s3).restart();
        network.events().runUntil(network.nowNs() + laterNs);
        return new Result(tiers.switches().stream().mapToLong(device -> device.counters().flooded()).sum(), cycle,
                cycle(), tiers.switches().stream().mapToLong(Switch::heldBytes).sum(), arrived,
                tiers.switches().stream().mapToLong(device -> device.counters().headroomDrops()).sum());
    }

    private List<String> cycle() {
        List<String> names = new ArrayList<>();
        for (PauseGraph.Wait wait : new PauseGraph(tiers.switches()).cycle()) {
            names.add(name(wait.device()) + " port " + wait.port());
        }
        return names;
    }

    private String name(Switch device) {
        int tor = tiers.tors().indexOf(device);
        return tor >= 0 ? "T" + tor : "L" + (char) ('a' + tiers.leaves().indexOf(device));
    }
}
