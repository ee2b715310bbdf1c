package org.jvrpc.fabric.experiment;

import java.io.PrintStream;
import java.util.Locale;
import org.jvrpc.fabric.host.EndpointSettings;
import org.jvrpc.fabric.host.NicSettings;
import org.jvrpc.fabric.host.RcEndpoint;
import org.jvrpc.fabric.host.Stream;
import org.jvrpc.fabric.network.Network;
import org.jvrpc.fabric.network.SwitchSettings;
import org.jvrpc.fabric.topology.Links;
import org.jvrpc.fabric.topology.Topology;
import org.jvrpc.roce.rc.RcAttributes;
import org.jvrpc.roce.rc.SendWork.Operation;

/** How many hops of packets one core simulates a second: 32 hosts at 4 ToRs and 4 leaves, each of which sends two. */
public final class HopRate {

    private static final int HOSTS = 32;
    private static final long MESSAGE = 1 << 16;
    private static final int ROUNDS = 5;
    private static final long ROUND_NS = 1_000_000;

    private HopRate() {
    }

    /** Prints rates, and returns the last. */
    public static double run(PrintStream out, long seed) {
        Network network = new Network(seed, false, 1024);
        Topology tiers = Topology.twoTier(network, Links.defaults(), new SwitchSettings(), new NicSettings(), MESSAGE,
                4, 4, HOSTS / 4);
        for (int host = 0; host < HOSTS; host++) {
            for (int step = 1; step <= 2; step++) {
                EndpointSettings settings = EndpointSettings.of(RcAttributes.defaults()).withPort(host * 2 + step);
                RcEndpoint.connect(
                        tiers.host(host).endpoint(settings, new Stream(Operation.WRITE, MESSAGE, Long.MAX_VALUE)),
                        tiers.host((host + step * 9) % HOSTS).endpoint(settings,
                                new Stream(Operation.WRITE, MESSAGE, 0)));
            }
        }
        double rate = 0;
        for (int round = 0; round < ROUNDS; round++) {
            long hops = network.hops();
            long happened = network.events().happened();
            long beginNs = System.nanoTime();
            network.events().runUntil(network.nowNs() + ROUND_NS);
            double seconds = (System.nanoTime() - beginNs) * 1e-9;
            rate = (network.hops() - hops) / seconds;
            out.printf(Locale.ROOT, "hops %d in %.3f s: %.2f M hops/s, %.2f M events/s%n", network.hops() - hops,
                    seconds, rate / 1e6, (network.events().happened() - happened) / seconds / 1e6);
        }
        return rate;
    }
}
