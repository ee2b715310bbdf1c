package org.jvrpc.fabric.topology;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;
import org.jvrpc.fabric.host.EndpointSettings;
import org.jvrpc.fabric.host.NicSettings;
import org.jvrpc.fabric.host.RcEndpoint;
import org.jvrpc.fabric.host.Stream;
import org.jvrpc.fabric.network.BufferSettings;
import org.jvrpc.fabric.network.Network;
import org.jvrpc.fabric.network.Scheduling;
import org.jvrpc.fabric.network.SwitchSettings;
import org.jvrpc.roce.congestion.DcqcnParameters;
import org.jvrpc.roce.congestion.EcnMarking;
import org.jvrpc.roce.rc.RcAttributes;
import org.jvrpc.roce.rc.SendWork.Operation;

/**
 * Frames of known runs, each at its nanosecond: what is new in a network changes none of those that do not ask for it.
 * A change that is meant to changes the numbers as well, and the figures of {@code EXPERIMENTS.md}.
 */
class GoldenTraceTest {

    private static final int BYTES = 16 << 10;

    private static long incast(Topology made, DcqcnParameters dcqcn) {
        int hosts = made.hosts().size();
        for (int host = 1; host < hosts; host++) {
            EndpointSettings settings = EndpointSettings.of(RcAttributes.defaults()).withPort(host).withDcqcn(dcqcn);
            Stream stream = new Stream(host % 2 == 0 ? Operation.SEND : Operation.WRITE, BYTES, 20);
            RcEndpoint.connect(made.host(host).endpoint(settings, stream),
                    made.host(host % 3).endpoint(settings, new Stream(Operation.SEND, BYTES, 0)));
        }
        made.network().events().runUntil(made.network().nowNs() + 1_000_000);
        return made.network().traceHash();
    }

    @Test
    void anIncastAtOneSwitchThatPauses() {
        SwitchSettings switches = new SwitchSettings().buffer(BufferSettings.defaults().withAlpha(1.0 / 512))
                .scheduling(Scheduling.DEFICIT_ROUND_ROBIN, Scheduling.ROUND_ROBIN);
        Topology star = Topology.star(new Network(1, false, 1024), Links.defaults(), switches, new NicSettings(),
                BYTES, 8);
        assertEquals(1_406_770_462_088_083_132L, incast(star, null));
    }

    @Test
    void aClosWithMarksLossesAndPayloads() {
        SwitchSettings switches = new SwitchSettings().marking(EcnMarking.SIGCOMM15);
        Topology clos = Topology.clos(new Network(2, true, 1024), Links.defaults(), switches, new NicSettings(),
                BYTES, 2, 2, 2, 3, 4);
        clos.network().ports().forEach(port -> port.faults().loses(0.01));
        assertEquals(6_640_073_612_398_116_186L, incast(clos, DcqcnParameters.SIGCOMM15));
    }

    @Test
    void twoTiersWhoseTablesForgetAndWhoseSwitchesWatch() {
        SwitchSettings switches = new SwitchSettings().timeouts(20_000, 400_000).watchdog(100_000, 200_000)
                .lossless(1 << 3 | 1).lane(3, 0).sameHash(true);
        NicSettings nics = new NicSettings().translations(8, 4096, 2_000).packetNs(50);
        Network network = new Network(3, false, 1024);
        Topology tiers = Topology.twoTier(network, Links.defaults(), switches, nics, BYTES, 2, 2, 4);
        tiers.host(0).breakPipeline();
        assertEquals(-2_198_369_931_528_495_810L, incast(tiers, null));
    }
}
