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
import org.jvrpc.roce.rc.RcCounters;

/**
 * Two hosts that send each other random messages, while certain frames have certain fates. Afterwards each message must
 * have arrived once, in order, and have completed; the memory of both hosts is what the messages make of it, and
 * nothing else; no pause is left and nothing stored. All that takes a bounded time: a lost frame costs one timeout at
 * most, and without faults nothing is sent twice.
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
     * @param messages from the first host, 0 to 64
     * @param replies messages from the second host, 0 to 64
     * @param firstPsn of both hosts
     * @param refusals times that a message finds no receive, at most, 0 to 2
     * @param retries of a QP without progress; 7 is what cards have
     * @param checksIcrc as NICs do
     */
    public record Setup(long seed, boolean tiers, int messages, int replies, int firstPsn, int refusals, int retries,
            boolean checksIcrc) {

        /** Returns how many ports there are. */
        int ports() {
            return tiers ? 12 : 4;
        }

        Setup withTiers(boolean on) {
            return new Setup(seed, on, messages, replies, firstPsn, refusals, retries, checksIcrc);
        }

        Setup withMessages(int newMessages, int newReplies) {
            return new Setup(seed, tiers, newMessages, newReplies, firstPsn, refusals, retries, checksIcrc);
        }

        Setup withFirstPsn(int psn) {
            return new Setup(seed, tiers, messages, replies, psn, refusals, retries, checksIcrc);
        }

        Setup withRefusals(int count) {
            return new Setup(seed, tiers, messages, replies, firstPsn, count, retries, checksIcrc);
        }
    }

    private static final int MTU = 256;
    private static final int WINDOW = 32;
    private static final int READS = 4;
    private static final int RNR_RETRIES = 6;
    private static final long ACK_TIMEOUT_NS = 100_000;
    private static final long RNR_TIMER_NS = 10_000;
    private static final long BOUND_NS = 100_000_000;
    /** What a message, or a fault or refusal beside its timer, takes at most. */
    private static final long STEP_NS = 20_000;

    private final Setup setup;
    private final List<Fault> faults;
    private final Network network;
    private final Topology made;
    private final Transfers a;
    private final Transfers b;

    private Trial(Setup setup, List<Fault> faults) {
        this.setup = setup;
        this.faults = faults;
        network = new Network(setup.seed(), true, MTU);
        NicSettings nics = new NicSettings().checksIcrc(setup.checksIcrc());
        int memory = Transfers.memory(Math.max(setup.messages(), setup.replies()));
        made = setup.tiers()
                ? Topology.twoTier(network, Links.defaults(), new SwitchSettings(), nics, memory, 2, 2, 1)
                : Topology.star(network, Links.defaults(), new SwitchSettings(), nics, memory, 2);
        a = new Transfers(network.chance(1000), setup.messages(), made.host(0).memory(), setup.refusals());
        b = new Transfers(network.chance(1001), setup.replies(), made.host(1).memory(), setup.refusals());
    }

    /** Runs it; returns what is wrong, null when nothing is. */
    public static String run(Setup setup, List<Fault> faults) {
        return new Trial(setup, faults).run();
    }

    private String run() {
        place();
        EndpointSettings settings = EndpointSettings.of(RcAttributes.defaults().withMtu(MTU).withWindow(WINDOW, 8)
                .withReads(READS, READS).withMinRnrTimer(RNR_TIMER_NS)
                .withRetries(setup.retries(), RNR_RETRIES, ACK_TIMEOUT_NS));
        RcEndpoint one = made.host(0).endpoint(settings, a);
        RcEndpoint other = made.host(1).endpoint(settings, b);
        RcEndpoint.connect(one, other, setup.firstPsn(), setup.firstPsn());
        if (!network.events().runUntil(BOUND_NS)) {
            return "something is left to happen";
        }
        String wrong = Transfers.check(a, b);
        wrong = wrong != null ? wrong : leftovers();
        return wrong != null ? wrong : wasted(one.counters(), other.counters());
    }

    private void place() {
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

    private String leftovers() {
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

    /** Says what took longer, or more packets, than the faults explain. */
    private String wasted(RcCounters one, RcCounters other) {
        long timeouts = one.timeouts() + other.timeouts();
        if (timeouts > faults.size()) {
            return "timeouts=" + timeouts + " faults=" + faults.size();
        }
        int refused = a.refused() + b.refused();
        if (faults.isEmpty() && refused == 0) {
            long again = one.resentPackets() + other.resentPackets() + one.duplicateRequests()
                    + other.duplicateRequests() + one.outOfSequence() + other.outOfSequence();
            if (again != 0) {
                return "without a fault, packets sent again or out of sequence=" + again;
            }
        }
        long bound = STEP_NS * (1 + setup.messages() + setup.replies() + faults.size() + refused)
                + faults.size() * ACK_TIMEOUT_NS + refused * RNR_TIMER_NS;
        long took = Math.max(a.lastNs(), b.lastNs());
        return took <= bound ? null : "ns=" + took + " of " + bound;
    }
}
