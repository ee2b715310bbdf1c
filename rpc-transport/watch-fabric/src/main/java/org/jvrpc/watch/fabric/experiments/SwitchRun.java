package org.jvrpc.watch.fabric.experiments;

import java.util.ArrayList;
import java.util.List;
import org.jvrpc.fabric.cost.HostCosts;
import org.jvrpc.fabric.host.EndpointSettings;
import org.jvrpc.fabric.host.NicSettings;
import org.jvrpc.fabric.host.RcEndpoint;
import org.jvrpc.fabric.host.Stream;
import org.jvrpc.fabric.network.Network;
import org.jvrpc.fabric.network.Scheduling;
import org.jvrpc.fabric.network.SwitchSettings;
import org.jvrpc.fabric.topology.Links;
import org.jvrpc.fabric.topology.Topology;
import org.jvrpc.roce.rc.RcAttributes;
import org.jvrpc.roce.rc.SendWork.Operation;
import org.jvrpc.watch.fabric.rperf.Accuracy;
import org.jvrpc.watch.fabric.rperf.SimulatedPairs;
import org.jvrpc.watch.fabric.rperf.SimulatedRun;
import org.jvrpc.watch.rperf.LoadPattern;

/** Runs one setup. Hosts cost the time that {@link Accuracy#COSTS} says, which rperf's subtraction is to take out. */
public final class SwitchRun {

    private static final int LSG_BYTES = 64;
    /**
     * The LSG begins a message each 5,107.5 ns, whether the last has ended or not: one that waited for its last would
     * fall into step with the bulks. Of the frames of one to five bulks, this is no multiple, nor nearly one.
     */
    private static final LoadPattern LSG = LoadPattern.ofBytes(LSG_BYTES).withOutstanding(128).withRate(1e9 / 5107.5);
    /** Messages of a bulk that may be under way. */
    private static final int WORKS = 16;
    private static final int PLACES = 8;
    private static final int UPSTREAM_BULKS = 2;
    private static final int FAST = 5;
    private static final int LOSSLESS = 1 << 3 | 1 << FAST;
    private static final long WARM_UP_NS = 200_000;
    private static final long DRAIN_NS = 1_000_000_000L;
    private static final int MTU = 1024;

    private final Topology made;
    private final int target;
    private final EndpointSettings slow = EndpointSettings.of(RcAttributes.defaults());

    private SwitchRun(Setup setup, HostCosts costs, long seed) {
        Network network = new Network(seed, false, MTU);
        SwitchSettings switches = new SwitchSettings().lossless(LOSSLESS)
                .scheduling(Scheduling.STRICT_PRIORITY, setup.amongPorts());
        NicSettings nics = new NicSettings().lossless(LOSSLESS).costs(costs).loopbackNs(0);
        made = setup.twoHops()
                ? Topology.twoTier(network, Links.defaults(), switches, nics, Setup.MOST_BYTES, 1, 2, PLACES)
                : Topology.star(network, Links.defaults(), switches, nics, Setup.MOST_BYTES, PLACES);
        target = made.hosts().size() - 1;
    }

    /**
     * Runs it.
     *
     * @param durationNs of measuring
     */
    public static Measured run(Setup setup, long durationNs, long seed) {
        return run(setup, Accuracy.COSTS, durationNs, seed);
    }

    static Measured run(Setup setup, HostCosts costs, long durationNs, long seed) {
        return new SwitchRun(setup, costs, seed).run(setup, durationNs);
    }

    private Measured run(Setup setup, long durationNs) {
        List<Stream> bulks = new ArrayList<>();
        for (int bulk = 0; bulk < setup.bulks(); bulk++) {
            int host = setup.twoHops() && bulk >= UPSTREAM_BULKS ? PLACES + bulk : 2 + bulk;
            bulks.add(stream(host, slow.serviceLevel(), WORKS, setup.bulkBytes()));
        }
        EndpointSettings fast = slow.withServiceLevel(FAST);
        int game = setup.gamerBytes();
        // the gamer has as much under way as a bulk, in smaller pieces
        Stream gamer = game == 0 ? null : stream(1, FAST, WORKS * Setup.MOST_BYTES / game, game);
        Network network = made.network();
        network.events().runUntil(network.nowNs() + WARM_UP_NS);
        SimulatedPairs pairs = SimulatedPairs.between(made, 0, target, setup.ownLane() ? fast : slow, 1,
                LSG.outstanding(), true);
        long bulkBytes = bytes(bulks);
        long gamerBytes = gamer == null ? 0 : gamer.completedBytes();
        long beginNs = network.nowNs();
        SimulatedRun run = SimulatedRun.begin(pairs, LSG, 0, durationNs);
        if (!run.await(durationNs + DRAIN_NS)) {
            throw new IllegalStateException("rperf does not end, setup=" + setup);
        }
        double lastedNs = network.nowNs() - beginNs;
        return new Measured(setup, run.result("LSG"), (bytes(bulks) - bulkBytes) * 8 / lastedNs,
                gamer == null ? 0 : (gamer.completedBytes() - gamerBytes) * 8 / lastedNs);
    }

    private static long bytes(List<Stream> streams) {
        return streams.stream().mapToLong(Stream::completedBytes).sum();
    }

    private Stream stream(int from, int serviceLevel, int works, int bytes) {
        EndpointSettings settings = new EndpointSettings(slow.attributes(), works, serviceLevel, slow.sourcePort(),
                slow.dcqcn());
        Stream stream = new Stream(Operation.WRITE, bytes, Long.MAX_VALUE);
        RcEndpoint.connect(made.host(from).endpoint(settings, stream),
                made.host(target).endpoint(settings, new Stream(Operation.WRITE, bytes, 0)));
        return stream;
    }
}
