package org.jvrpc.fabric.experiment;

import java.util.ArrayList;
import java.util.List;
import org.jvrpc.fabric.event.Chance;
import org.jvrpc.fabric.host.EndpointSettings;
import org.jvrpc.fabric.host.NicSettings;
import org.jvrpc.fabric.host.RcEndpoint;
import org.jvrpc.fabric.host.Stream;
import org.jvrpc.fabric.network.Network;
import org.jvrpc.fabric.network.Scheduling;
import org.jvrpc.fabric.network.SwitchSettings;
import org.jvrpc.fabric.topology.Links;
import org.jvrpc.fabric.topology.Topology;
import org.jvrpc.fabric.trace.Watcher;
import org.jvrpc.roce.rc.RcAttributes;
import org.jvrpc.roce.rc.SendWork.Operation;

/**
 * SIGCOMM'16, 5.4: two ToRs of 24 hosts and four leaves; 20 pairs of hosts send to each other by 8 QPs each, until the
 * links between ToRs and leaves are the bottleneck, at 7 Gb/s a pair. The other hosts measure round trips meanwhile: in
 * the class of that traffic, and in one of their own, as the paper's TCP had.
 */
public final class LoadLatency {

    /**
     * What came of it; times are round trips of 512 bytes in ns.
     *
     * @param pairGbps that each pair was to send, in each direction; 0: nothing
     * @param gotGbps that a pair did send, in the mean, payloads only
     */
    public record Result(double pairGbps, double gotGbps, int trips, long medianNs, long p99Ns, long p999Ns,
            long otherP99Ns, long otherP999Ns, long pauses, long drops) {
    }

    private static final int HOSTS = 24;
    private static final int PAIRS = 20;
    private static final int QPS = 8;
    private static final int LEAVES = 4;
    private static final int OTHER = 1;
    private static final int PING = 512;
    private static final int MOST_TRIPS = 1 << 16;
    private static final int WEIGHT = 4096;

    private final Topology tiers;
    private final List<Stream> streams = new ArrayList<>();
    private final Chance chance;
    private final int messageBytes;
    private int nextPort;

    private LoadLatency(Topology tiers, Chance chance, int messageBytes) {
        this.tiers = tiers;
        this.chance = chance;
        this.messageBytes = messageBytes;
    }

    /**
     * Runs it.
     *
     * @param pairGbps that each pair sends in each direction, in messages at random phases; more than there is room for
     *     is sent as there is room
     * @param messageBytes of a WRITE: free, the paper does not tell
     */
    public static Result run(double pairGbps, int messageBytes, long warmUpNs, long durationNs, long seed,
            Watcher watcher) {
        Network network = new Network(seed, watcher.needsPayloads(), 1024);
        SwitchSettings switches = new SwitchSettings()
                .scheduling(Scheduling.DEFICIT_ROUND_ROBIN, Scheduling.FIRST_COME).weight(OTHER, WEIGHT);
        Topology tiers = Topology.twoTier(network, Links.defaults(), switches, new NicSettings(), messageBytes, LEAVES,
                2, HOSTS);
        watcher.begins(tiers, warmUpNs + durationNs);
        return new LoadLatency(tiers, network.chance(HOSTS * 2), messageBytes)
                .run(pairGbps, warmUpNs, durationNs);
    }

    private Result run(double pairGbps, long warmUpNs, long durationNs) {
        for (int pair = 0; pair < PAIRS && pairGbps > 0; pair++) {
            for (int qp = 0; qp < QPS; qp++) {
                load(pair, HOSTS + pair, pairGbps / QPS);
                load(HOSTS + pair, pair, pairGbps / QPS);
            }
        }
        Network network = tiers.network();
        List<Pings> same = new ArrayList<>();
        List<Pings> other = new ArrayList<>();
        for (int host = PAIRS; host < HOSTS; host++) {
            for (int qp = 0; qp < QPS; qp++) { // by as many paths
                same.add(pings(host, HOSTS + host, 3));
                other.add(pings(HOSTS + host, host, OTHER));
            }
        }
        network.events().runUntil(network.nowNs() + warmUpNs);
        same.forEach(Pings::forget);
        other.forEach(Pings::forget);
        long before = streams.stream().mapToLong(Stream::completedBytes).sum();
        network.events().runUntil(network.nowNs() + durationNs);
        long bytes = streams.stream().mapToLong(Stream::completedBytes).sum() - before;
        Pings[] sames = same.toArray(new Pings[0]);
        Pings[] others = other.toArray(new Pings[0]);
        return new Result(pairGbps, bytes * 8.0 / durationNs / PAIRS / 2, same.stream().mapToInt(Pings::trips).sum(),
                Pings.percentile(50, sames), Pings.percentile(99, sames), Pings.percentile(99.9, sames),
                Pings.percentile(99, others), Pings.percentile(99.9, others), tiers.switchPauses(),
                tiers.switchDrops());
    }

    private void load(int from, int to, double gbps) {
        EndpointSettings settings = EndpointSettings.of(RcAttributes.defaults()).withPort(nextPort++);
        Stream stream = new Stream(Operation.WRITE, messageBytes, Long.MAX_VALUE);
        RcEndpoint sender = tiers.host(from).endpoint(settings, stream);
        long periodNs = (long) (messageBytes * 8 / gbps);
        stream.every(1 + chance.below((int) periodNs), periodNs, tiers.network().events(), sender);
        RcEndpoint.connect(sender, tiers.host(to).endpoint(settings, new Stream(Operation.WRITE, messageBytes, 0)));
        streams.add(stream);
    }

    private Pings pings(int from, int to, int serviceLevel) {
        EndpointSettings settings = EndpointSettings.of(RcAttributes.defaults()).withPort(nextPort++)
                .withServiceLevel(serviceLevel);
        return Pings.between(tiers, from, to, settings, PING, MOST_TRIPS, 1000 + chance.below(1000));
    }
}
