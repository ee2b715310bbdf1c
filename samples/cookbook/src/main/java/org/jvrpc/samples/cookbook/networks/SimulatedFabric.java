package org.jvrpc.samples.cookbook.networks;

import java.util.ArrayList;
import java.util.List;
import org.jvrpc.fabric.host.EndpointSettings;
import org.jvrpc.fabric.host.NicSettings;
import org.jvrpc.fabric.host.RcEndpoint;
import org.jvrpc.fabric.host.Stream;
import org.jvrpc.fabric.network.BufferSettings;
import org.jvrpc.fabric.network.Network;
import org.jvrpc.fabric.network.Port;
import org.jvrpc.fabric.network.SwitchSettings;
import org.jvrpc.fabric.topology.Links;
import org.jvrpc.fabric.topology.Topology;
import org.jvrpc.roce.congestion.DcqcnParameters;
import org.jvrpc.roce.congestion.EcnMarking;
import org.jvrpc.roce.rc.RcAttributes;
import org.jvrpc.roce.rc.SendWork.Operation;

/** Four hosts write to a fifth by one switch, without congestion control and with it, in virtual time. */
public final class SimulatedFabric {

    private SimulatedFabric() {
    }

    // snippet begins
    private static final int SENDERS = 4;
    private static final long MESSAGE = 256 << 10;
    private static final long RUN_NS = 3_000_000;

    public static void main(String[] args) {
        incast("pauses alone", new SwitchSettings(), null);
        incast("DCQCN", new SwitchSettings().marking(EcnMarking.SIGCOMM15), DcqcnParameters.SIGCOMM15);
    }

    private static void incast(String what, SwitchSettings switches, DcqcnParameters dcqcn) {
        Network network = new Network(7, false, 1024); // by this seed all is the same each time
        switches.buffer(BufferSettings.defaults().withTotal(2_000_000).withHeadroom(4_000));
        Topology star = Topology.star(network, Links.defaults(), switches, new NicSettings(), MESSAGE, SENDERS + 1);
        List<Stream> streams = new ArrayList<>();
        for (int host = 0; host < SENDERS; host++) {
            EndpointSettings settings = EndpointSettings.of(RcAttributes.defaults().withWindow(4096, 32))
                    .withServiceLevel(3).withDcqcn(dcqcn);
            Stream stream = new Stream(Operation.WRITE, MESSAGE, Long.MAX_VALUE);
            RcEndpoint.connect(star.host(host).endpoint(settings, stream),
                    star.host(SENDERS).endpoint(settings, new Stream(Operation.WRITE, MESSAGE, 0)));
            streams.add(stream);
        }
        network.events().runUntil(network.nowNs() + RUN_NS);
        long gigabits = Math.round(streams.stream().mapToLong(Stream::completedBytes).sum() * 8.0 / RUN_NS);
        long pauses = network.ports().stream().mapToLong(Port::sentPauses).sum();
        System.out.println(what + ": " + gigabits + " Gbit/s, pauses: " + pauses + ", marked packets: "
                + star.tors().get(0).counters().marked());
    }
    // snippet ends
}
