package org.jvrpc.fabric.experiment;

import java.util.ArrayList;
import java.util.List;
import org.jvrpc.fabric.event.Chance;
import org.jvrpc.fabric.host.EndpointSettings;
import org.jvrpc.fabric.host.Nic;
import org.jvrpc.fabric.host.NicSettings;
import org.jvrpc.fabric.host.RcEndpoint;
import org.jvrpc.fabric.host.Stream;
import org.jvrpc.fabric.network.BufferSettings;
import org.jvrpc.fabric.network.Network;
import org.jvrpc.fabric.network.SwitchSettings;
import org.jvrpc.fabric.topology.Links;
import org.jvrpc.fabric.topology.Topology;
import org.jvrpc.fabric.trace.Watcher;
import org.jvrpc.roce.rc.RcAttributes;
import org.jvrpc.roce.rc.SendWork.Operation;

/**
 * SIGCOMM'16, Figure 6: round trips of a service whose servers have 350 Mb/s each, in bursts of many to one. Here each
 * host is answered by many at once, again and again, and all measure round trips meanwhile, in the class of the
 * answers. That class is lossless; or it is not, and loses what finds no room, as that of the paper's TCP.
 */
public final class ProductionLatency {

    /**
     * How a service behaves, of which the paper tells the rate alone.
     *
     * @param answers that a host gets at once, each from another host
     * @param answerBytes of each of them
     */
    public record Service(int answers, int answerBytes, double gbpsAHost) {

        /** Returns bursts of 1 MB, from 64 hosts, at the paper's rate. */
        public static Service paper() {
            return new Service(64, 16 << 10, 0.35);
        }

        private long periodNs() {
            return (long) (answers * 8L * answerBytes / gbpsAHost);
        }
    }

    /** What came of it; times are round trips of 512 bytes in ns. */
    public record Result(boolean lossless, double alpha, double gotGbps, long trips, long medianNs, long p99Ns,
            long p999Ns, long pauses, long drops, long timeouts) {
    }

    private static final int TORS = 8;
    private static final int HOSTS_PER_TOR = 24;
    private static final int LEAVES = 4;
    private static final int LANE = 3;
    private static final int PING = 512;
    private static final int MOST_TRIPS = 1 << 13;
    private static final long PAUSE_NS = 100_000;
    private static final int WORKS = 2;

    private final Topology tiers;
    private final Service service;
    private final Chance chance;
    private final RcAttributes attributes;
    private final List<Stream> streams = new ArrayList<>();
    private final List<Pings> pings = new ArrayList<>();
    private int nextPort;

    private ProductionLatency(Topology tiers, Service service, RcAttributes attributes) {
        this.tiers = tiers;
        this.service = service;
        this.attributes = attributes;
        chance = tiers.network().chance(tiers.hosts().size());
    }

    /** Runs it. @param ackTimeoutNs after which what was lost at the end of an answer is sent again */
    public static Result run(Service service, boolean lossless, double alpha, long ackTimeoutNs, long warmUpNs,
            long durationNs, long seed, Watcher watcher) {
        Network network = new Network(seed, watcher.needsPayloads(), 1024);
        int lanes = lossless ? 1 << LANE : 0;
        SwitchSettings switches = new SwitchSettings().lossless(lanes)
                .buffer(BufferSettings.defaults().withAlpha(alpha));
        Topology tiers = Topology.twoTier(network, Links.defaults(), switches, new NicSettings().lossless(lanes),
                service.answerBytes, LEAVES, TORS, HOSTS_PER_TOR);
        watcher.begins(tiers, warmUpNs + durationNs);
        RcAttributes attributes = RcAttributes.defaults().withRetries(7, 7, ackTimeoutNs);
        return new ProductionLatency(tiers, service, attributes).run(lossless, alpha, warmUpNs, durationNs);
    }

    private Result run(boolean lossless, double alpha, long warmUpNs, long durationNs) {
        int hosts = tiers.hosts().size();
        for (int host = 0; host < hosts; host++) {
            long firstNs = 1 + (long) (chance.below(1 << 20) * (double) service.periodNs() / (1 << 20));
            for (int answer = 0; answer < service.answers; answer++) {
                answer((host + 1 + chance.below(hosts - 1)) % hosts, host, firstNs);
            }
            pings.add(Pings.between(tiers, host, (host + 1 + chance.below(hosts - 1)) % hosts, settings(), PING,
                    MOST_TRIPS, PAUSE_NS + chance.below((int) PAUSE_NS)));
        }
        Network network = tiers.network();
        network.events().runUntil(network.nowNs() + warmUpNs);
        pings.forEach(Pings::forget);
        long before = streams.stream().mapToLong(Stream::completedBytes).sum();
        network.events().runUntil(network.nowNs() + durationNs);
        long bytes = streams.stream().mapToLong(Stream::completedBytes).sum() - before;
        Pings[] all = pings.toArray(new Pings[0]);
        return new Result(lossless, alpha, bytes * 8.0 / durationNs / hosts,
                pings.stream().mapToLong(Pings::trips).sum(), Pings.percentile(50, all), Pings.percentile(99, all),
                Pings.percentile(99.9, all), tiers.switchPauses(), tiers.switchDrops(), timeouts());
    }

    private long timeouts() {
        return tiers.hosts().stream().map(Nic::endpoints).flatMap(List::stream)
                .mapToLong(endpoint -> endpoint.counters().timeouts()).sum();
    }

    private void answer(int from, int to, long firstNs) {
        EndpointSettings settings = settings();
        Stream stream = new Stream(Operation.SEND, service.answerBytes, Long.MAX_VALUE);
        RcEndpoint sender = tiers.host(from).endpoint(settings, stream);
        stream.every(firstNs, service.periodNs(), tiers.network().events(), sender);
        RcEndpoint.connect(sender,
                tiers.host(to).endpoint(settings, new Stream(Operation.SEND, service.answerBytes, 0)));
        streams.add(stream);
    }

    private EndpointSettings settings() {
        return new EndpointSettings(attributes, WORKS, LANE, 0, null).withPort(nextPort++);
    }
}
