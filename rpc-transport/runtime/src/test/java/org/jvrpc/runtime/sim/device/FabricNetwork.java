package org.jvrpc.runtime.sim.device;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.HashMap;
import java.util.Map;
import org.jvrpc.fabric.host.EndpointSettings;
import org.jvrpc.fabric.host.NicSettings;
import org.jvrpc.fabric.host.RcEndpoint;
import org.jvrpc.fabric.network.Port;
import org.jvrpc.fabric.network.SwitchSettings;
import org.jvrpc.fabric.topology.Links;
import org.jvrpc.fabric.topology.Topology;
import org.jvrpc.fabric.trace.Pcap;
import org.jvrpc.roce.rc.RcAttributes;
import org.jvrpc.runtime.sim.world.World;

/**
 * A fabric that carries what the QPs of a {@link World} send, as packets of the RC service between NICs at one switch,
 * some of which are lost. Its time is the world's, and it goes on in steps of the world, never on a process's thread.
 * Connections are made by the world's own {@link Network}, and not by packets.
 */
public final class FabricNetwork {

    private static final int HOSTS = 4;
    private static final int MTU = 1024;
    private static final long ACK_TIMEOUT_NS = 500_000;

    private final World world;
    private final org.jvrpc.fabric.network.Network network;
    private final Topology star;
    private final long beginNs;
    private final ByteArrayOutputStream capture = new ByteArrayOutputStream();
    private final Map<SimDevice, Integer> hosts = new HashMap<>();
    private int connections;
    private long turnAtNs = Long.MAX_VALUE;

    private FabricNetwork(World world, long seed, double loss) {
        this.world = world;
        network = new org.jvrpc.fabric.network.Network(seed, true, MTU);
        star = Topology.star(network, Links.defaults(), new SwitchSettings(), new NicSettings(), Long.BYTES, HOSTS);
        for (Port port : network.ports()) {
            port.faults().loses(loss);
        }
        try {
            network.tap(new Pcap(capture, port -> port.device().isHost()));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        beginNs = world.nowNs() - network.nowNs();
    }

    /** Has the QPs of a world send over a fabric, whose links lose frames with a probability. */
    public static FabricNetwork in(World world, long seed, double loss) {
        FabricNetwork made = new FabricNetwork(world, seed, loss);
        Network.of(world).over(made);
        return made;
    }

    /** Joins two QPs, whose devices are hosts from now on. */
    void join(SimQueuePair a, SimQueuePair b) {
        RcAttributes attributes = RcAttributes.defaults().withMtu(MTU).withRetries(7, 7, ACK_TIMEOUT_NS);
        EndpointSettings settings = EndpointSettings.of(attributes).withPort(connections++);
        FabricWire one = new FabricWire(this, a);
        FabricWire other = new FabricWire(this, b);
        RcEndpoint from = star.host(host(a)).endpoint(settings, one, one);
        RcEndpoint to = star.host(host(b)).endpoint(settings, other, other);
        one.begin(from);
        other.begin(to);
        RcEndpoint.connect(from, to); // nothing is posted yet
    }

    private int host(SimQueuePair qp) {
        return hosts.computeIfAbsent(qp.device(), device -> hosts.size());
    }

    /** Has something done with the fabric, as one of the next steps of the world. */
    void soon(Runnable what) {
        world.soon(() -> {
            goOn();
            what.run();
            await();
        });
    }

    private void goOn() {
        network.events().runUntil(world.nowNs() - beginNs);
    }

    /** Has the world wait for what happens next, unless it does for something sooner. */
    private void await() {
        long nextNs = network.events().nextNs();
        if (nextNs != Long.MAX_VALUE && nextNs + beginNs < turnAtNs) {
            long atNs = nextNs + beginNs;
            turnAtNs = atNs;
            world.in(atNs - world.nowNs(), null, () -> {
                if (turnAtNs == atNs) {
                    turnAtNs = Long.MAX_VALUE;
                }
                goOn();
                await();
            });
        }
    }

    /** Returns what hosts sent, as a file of libpcap. */
    public byte[] capture() {
        return capture.toByteArray();
    }

    /** Returns how many frames were lost. */
    public long lost() {
        return network.ports().stream().mapToLong(port -> port.faults().lost()).sum();
    }

    /** Returns how many packets were sent again. */
    public long resent() {
        return star.hosts().stream().flatMap(host -> host.endpoints().stream())
                .mapToLong(endpoint -> endpoint.counters().resentPackets()).sum();
    }
}
