package org.jvrpc.fabric.experiment;

import org.jvrpc.fabric.host.Application;
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
 * "Evaluation of an InfiniBand Switch" (Katebzadeh, Costa, Grot, ISPASS 2020): one host sends a short message at a time
 * to a target (LSG), others as much as they can to the same one (BSG). Its figures are not known, their order is.
 */
public final class SwitchLatency {

    /**
     * What is run.
     *
     * @param amongPorts who is next at a port, of those that frames came in by
     * @param twoHops two of the BSGs and the LSG are at another switch than three BSGs and the target
     * @param ownLane the LSG has a lane that goes first
     * @param gamer one more BSG sends messages of 256 bytes on that lane
     */
    public record Setup(Scheduling amongPorts, int bulks, boolean twoHops, boolean ownLane, boolean gamer) {
    }

    /** What came of it: round trips of the LSG, and what the gamer got. */
    public record Result(Setup setup, long trips, long medianNs, long p99Ns, double gamerGbps) {
    }

    private static final int PING = 64;
    private static final int MOST_TRIPS = 100_000;
    private static final long BULK = 4096;
    private static final long GAME = 256;
    private static final int PLACES = 8;
    private static final int FAST = 5;
    private static final long WARM_UP_NS = 200_000;

    private SwitchLatency() {
    }

    /** Runs it for a time. */
    public static Result run(Setup setup, long durationNs, long seed, Watcher watcher) {
        Network network = new Network(seed, watcher.needsPayloads(), 1024);
        int lossless = 1 << 3 | 1 << FAST;
        SwitchSettings switches = new SwitchSettings().lossless(lossless)
                .scheduling(Scheduling.STRICT_PRIORITY, setup.amongPorts());
        NicSettings nics = new NicSettings().lossless(lossless);
        Topology made = setup.twoHops()
                ? Topology.twoTier(network, Links.defaults(), switches, nics, BULK, 1, 2, PLACES)
                : Topology.star(network, Links.defaults(), switches, nics, BULK, PLACES);
        int target = made.hosts().size() - 1;
        EndpointSettings settings = EndpointSettings.of(RcAttributes.defaults());
        EndpointSettings fast = settings.withServiceLevel(FAST);
        for (int bulk = 0; bulk < setup.bulks(); bulk++) {
            int host = setup.twoHops() && bulk >= 2 ? PLACES + bulk : 2 + bulk;
            connect(made, host, target, settings, new Stream(Operation.WRITE, BULK, Long.MAX_VALUE));
        }
        Stream gamer = new Stream(Operation.WRITE, GAME, Long.MAX_VALUE);
        if (setup.gamer()) {
            connect(made, 1, target, fast, gamer);
        }
        network.events().runUntil(network.nowNs() + WARM_UP_NS);
        watcher.begins(made, durationNs);
        long gamerBytes = gamer.completedBytes();
        Pings pings = new Pings(network, PING, MOST_TRIPS, 0);
        connect(made, 0, target, setup.ownLane() ? fast : settings, pings);
        network.events().runUntil(network.nowNs() + durationNs);
        return new Result(setup, pings.trips(), pings.percentile(50), pings.percentile(99),
                (gamer.completedBytes() - gamerBytes) * 8.0 / durationNs);
    }

    private static void connect(Topology made, int from, int to, EndpointSettings settings, Application application) {
        RcEndpoint.connect(made.host(from).endpoint(settings, application),
                made.host(to).endpoint(settings, new Stream(Operation.WRITE, BULK, 0)));
    }
}
