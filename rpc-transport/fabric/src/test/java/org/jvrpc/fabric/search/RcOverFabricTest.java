package org.jvrpc.fabric.search;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.jvrpc.fabric.host.EndpointSettings;
import org.jvrpc.fabric.host.NicSettings;
import org.jvrpc.fabric.host.RcEndpoint;
import org.jvrpc.fabric.network.LinkFaults;
import org.jvrpc.fabric.network.Network;
import org.jvrpc.fabric.network.Port;
import org.jvrpc.fabric.network.Switch;
import org.jvrpc.fabric.network.SwitchSettings;
import org.jvrpc.fabric.topology.Links;
import org.jvrpc.fabric.topology.Topology;
import org.jvrpc.roce.congestion.DcqcnParameters;
import org.jvrpc.roce.rc.RcAttributes;

/** The RC service over links and switches, with real bytes: each message arrives once and right. */
class RcOverFabricTest {

    private static final int MESSAGES = 60;
    private static final long FAR_NS = 5_000_000_000L;

    private Topology tiers;
    private RcEndpoint a;
    private RcEndpoint b;

    /** Both hosts send to each other, over two switches and one of two leaves. */
    private long run(long seed, DcqcnParameters dcqcn, Consumer<LinkFaults> faults) {
        Network network = new Network(seed, true, 1024);
        tiers = Topology.twoTier(network, Links.defaults(), new SwitchSettings(), new NicSettings(),
                Transfers.memory(MESSAGES), 2, 2, 1);
        for (Port port : network.ports()) {
            faults.accept(port.faults());
        }
        Transfers fromA = new Transfers(network.chance(1000), MESSAGES, tiers.host(0).memory(), 0);
        Transfers fromB = new Transfers(network.chance(1001), MESSAGES, tiers.host(1).memory(), 0);
        EndpointSettings settings = EndpointSettings.of(RcAttributes.defaults().withRetries(7, 7, 100_000))
                .withDcqcn(dcqcn);
        a = tiers.host(0).endpoint(settings, fromA);
        b = tiers.host(1).endpoint(settings, fromB);
        RcEndpoint.connect(a, b);
        assertTrue(network.events().runUntil(FAR_NS), "something is left to happen, seed=" + seed);
        assertNull(Transfers.check(fromA, fromB), "seed=" + seed);
        assertEquals(0, network.framesOut(), "seed=" + seed);
        for (Switch device : tiers.switches()) {
            assertEquals(0, device.heldBytes(), "seed=" + seed);
        }
        return network.traceHash();
    }

    @Test
    void messagesArriveOverLinksWithoutFaults() {
        run(1, null, faults -> { });
        assertEquals(0, a.counters().resentPackets() + b.counters().resentPackets());
        assertEquals(0, a.counters().outOfSequence() + b.counters().outOfSequence());
    }

    @Test
    void messagesArriveOnceOverLinksThatLoseFrames() {
        for (long seed = 1; seed <= 10; seed++) {
            run(seed, null, faults -> faults.loses(0.02));
            assertTrue(a.counters().resentPackets() > 0, "seed=" + seed);
        }
    }

    @Test
    void theFcsTellsWhatWasDamagedOnALink() {
        run(2, null, faults -> faults.damages(0.02, false));
        assertTrue(a.counters().resentPackets() > 0);
        assertEquals(0, tiers.host(0).counters().damaged() + tiers.host(1).counters().damaged());
    }

    @Test
    void theIcrcTellsWhatASwitchDamaged() {
        for (long seed = 1; seed <= 10; seed++) {
            run(seed, null, faults -> faults.damages(0.02, true));
            assertTrue(tiers.host(0).counters().damaged() + tiers.host(1).counters().damaged() > 0, "seed=" + seed);
        }
    }

    @Test
    void messagesArriveWithCongestionControl() {
        run(3, DcqcnParameters.NVIDIA, faults -> faults.loses(0.005));
        run(4, DcqcnParameters.SIGCOMM15, faults -> { });
    }

    @Test
    void aSeedGivesTheSameBytesAndAnotherOthers() {
        Consumer<LinkFaults> faults = each -> each.loses(0.01).damages(0.001, true);
        long hash = run(7, DcqcnParameters.NS3_RDMA, faults);
        assertEquals(hash, run(7, DcqcnParameters.NS3_RDMA, faults));
        assertNotEquals(hash, run(8, DcqcnParameters.NS3_RDMA, faults));
        assertNotEquals(hash, run(7, DcqcnParameters.NS3_RDMA, each -> each.loses(0.01)));
    }
}
