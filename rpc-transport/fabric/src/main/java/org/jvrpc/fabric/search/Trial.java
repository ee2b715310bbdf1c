package org.jvrpc.fabric.search;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jvrpc.fabric.host.EndpointSettings;
import org.jvrpc.fabric.host.NicSettings;
import org.jvrpc.fabric.host.RcEndpoint;
import org.jvrpc.fabric.network.LinkFaults.Fate;
import org.jvrpc.fabric.network.Network;
import org.jvrpc.fabric.network.PauseGraph;
import org.jvrpc.fabric.network.Port;
import org.jvrpc.fabric.network.Switch;
import org.jvrpc.fabric.network.SwitchSettings;
import org.jvrpc.fabric.topology.Links;
import org.jvrpc.fabric.topology.Topology;
import org.jvrpc.roce.rc.RcAttributes;

/**
 * Two hosts that send each other random messages, while certain frames have certain fates. Afterwards each message must
 * have arrived once and right and have completed, within a bound of time, with no pause left and nothing stored.
 */
public final class Trial {

    /** The fate of the frame with a number among those that leave by a port. */
    public record Fault(int port, long number, Fate fate) {
    }

    /**
     * What is tried.
     *
     * @param seed of messages, and of the bits that damage changes
     * @param tiers over two ToRs and two leaves; else over one switch
     * @param messages in each direction, 1 to 64
     * @param retries of a QP without progress; 7 is what cards have
     * @param checksIcrc as NICs do
     */
    public record Setup(long seed, boolean tiers, int messages, int retries, boolean checksIcrc) {

        /** Returns how many ports there are. */
        int ports() {
            return tiers ? 12 : 4;
        }
    }

    private static final int MTU = 256;
    private static final long ACK_TIMEOUT_NS = 100_000;
    private static final long BOUND_NS = 100_000_000;

    private Trial() {
    }

    /** Runs it; returns what is wrong, null when nothing is. */
    public static String run(Setup setup, List<Fault> faults) {
        Network network = new Network(setup.seed(), true, MTU);
        NicSettings nics = new NicSettings().checksIcrc(setup.checksIcrc());
        Topology made = setup.tiers()
                ? Topology.twoTier(network, Links.defaults(), new SwitchSettings(), nics, Transfers.MEMORY, 2, 2, 1)
                : Topology.star(network, Links.defaults(), new SwitchSettings(), nics, Transfers.MEMORY, 2);
        place(network, faults);
        Transfers a = new Transfers(network.chance(1000), setup.messages());
        Transfers b = new Transfers(network.chance(1001), setup.messages());
        EndpointSettings settings = EndpointSettings.of(RcAttributes.defaults().withMtu(MTU).withWindow(32, 8)
                .withRetries(setup.retries(), 7, ACK_TIMEOUT_NS));
        RcEndpoint one = made.host(0).endpoint(settings, a);
        RcEndpoint other = made.host(1).endpoint(settings, b);
        Transfers.fill(made.host(0).memory(), network.chance(1002));
        Transfers.fill(made.host(1).memory(), network.chance(1003));
        RcEndpoint.connect(one, other);
        if (!network.events().runUntil(BOUND_NS)) {
            return "something is left to happen";
        }
        String wrong = a.check(made.host(0).memory(), made.host(1).memory(), b);
        wrong = wrong != null ? wrong : b.check(made.host(1).memory(), made.host(0).memory(), a);
        return wrong != null ? wrong : leftovers(network, made);
    }

    private static void place(Network network, List<Fault> faults) {
        Map<Integer, Map<Long, Fate>> byPort = new HashMap<>();
        for (Fault fault : faults) {
            byPort.computeIfAbsent(fault.port(), port -> new HashMap<>()).put(fault.number(), fault.fate());
        }
        byPort.forEach((port, fates) -> {
            if (port < network.ports().size()) {
                network.ports().get(port).faults().fates(number -> fates.getOrDefault(number, Fate.ARRIVES));
            }
        });
    }

    private static String leftovers(Network network, Topology made) {
        for (Switch device : made.switches()) {
            if (device.heldBytes() != 0) {
                return "switch " + device.mac() + " heldBytes=" + device.heldBytes();
            }
        }
        for (Port port : network.ports()) {
            if (port.paused() != 0 || port.pausing() != 0) {
                return "port " + port.number() + " is paused, or pauses";
            }
        }
        if (!new PauseGraph(made.switches()).cycle().isEmpty()) {
            return "a cycle of pauses";
        }
        return network.framesOut() == 0 ? null : "framesOut=" + network.framesOut();
    }
}
