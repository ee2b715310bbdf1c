package org.jvrpc.runtime.sim.device;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.HashMap;
import java.util.Map;
import org.jvrpc.fabric.event.Chance;
import org.jvrpc.fabric.host.EndpointSettings;
import org.jvrpc.fabric.host.NicSettings;
import org.jvrpc.fabric.host.RcEndpoint;
import org.jvrpc.fabric.network.Frame;
import org.jvrpc.fabric.network.Port;
import org.jvrpc.fabric.network.SwitchSettings;
import org.jvrpc.fabric.topology.Links;
import org.jvrpc.fabric.topology.Topology;
import org.jvrpc.fabric.trace.Pcap;
import org.jvrpc.roce.cm.message.Mad;
import org.jvrpc.roce.rc.RcAttributes;
import org.jvrpc.roce.wire.Bth;
import org.jvrpc.roce.wire.Deth;
import org.jvrpc.roce.wire.Opcode;
import org.jvrpc.roce.wire.Psn;
import org.jvrpc.runtime.sim.world.SimProcess;
import org.jvrpc.runtime.sim.world.World;
import org.jvrpc.verbs.Connection;
import org.jvrpc.verbs.ConnectionException;

/**
 * A fabric that carries what the QPs of a {@link World} send, as packets of the RC service between NICs at one switch,
 * some of which are lost. Its time is the world's, and it goes on in steps of the world, never on a process's thread.
 * Connections are made and ended by MADs, which may be lost as well; only a name is found without asking.
 */
public final class FabricNetwork {

    private static final int HOSTS = 4;
    private static final int MTU = 1024;
    static final int MTU_CODE = 3;
    private static final int FIRST_SERVICE = 1024;
    private static final long ACK_TIMEOUT_NS = 500_000;
    private static final int PSNS = 1000;

    private final World world;
    private final org.jvrpc.fabric.network.Network network;
    private final Topology star;
    private final long beginNs;
    private final ByteArrayOutputStream capture = new ByteArrayOutputStream();
    private final Map<SimDevice, FabricHost> hosts = new HashMap<>();
    private final Map<String, FabricListener> listeners = new HashMap<>();
    private final Chance psns;
    private int connections;
    private int services;
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
        psns = network.chance(PSNS);
        beginNs = world.nowNs() - network.nowNs();
    }

    /** Has the QPs of a world send over a fabric, whose links lose frames with a probability. */
    public static FabricNetwork in(World world, long seed, double loss) {
        FabricNetwork made = new FabricNetwork(world, seed, loss);
        Network.of(world).over(made);
        return made;
    }

    // ---- connections: names are known to all, the rest is packets

    void listen(SimDevice device, SimListener listener) {
        FabricListener made = new FabricListener(this, listener, host(device), FIRST_SERVICE + services++);
        listeners.put(listener.address(), made);
        made.begin();
    }

    void unlisten(SimListener listener) {
        listeners.get(listener.address()).end();
    }

    Connection connect(SimProcess process, String address, SimQueuePair qp, byte[] privateData, SimChannel channel,
            long timeoutNs) {
        FabricListener to = listeners.get(address);
        if (to == null) {
            qp.error();
            throw new ConnectionException(ConnectionException.Reason.UNREACHABLE, "no such name: " + address, null);
        }
        return new FabricAttempt(this, process, host(qp.device()), qp, channel)
                .connect(address, to, privateData, timeoutNs);
    }

    /** Has a QP sent for by a host. */
    FabricWire wire(FabricHost host, SimQueuePair qp) {
        RcAttributes attributes = RcAttributes.defaults().withMtu(MTU)
                .withRetries(FabricWire.RETRIES, FabricWire.RETRIES, ACK_TIMEOUT_NS);
        EndpointSettings settings = EndpointSettings.of(attributes).withPort(connections++);
        return new FabricWire(this, qp, host.nic(), settings, (int) psns.bits() & Psn.MASK);
    }

    private FabricHost host(SimDevice device) {
        return hosts.computeIfAbsent(device, of -> FabricHost.of(star.host(hosts.size())));
    }

    /** Loses the first message of connection management with an attribute. */
    public FabricNetwork losesFirst(int attribute) {
        boolean[] lost = new boolean[1];
        for (Port port : network.ports()) {
            port.faults().loses((frame, number) -> {
                boolean isIt = !lost[0] && isMad(frame, attribute);
                lost[0] |= isIt;
                return isIt;
            });
        }
        return this;
    }

    private static boolean isMad(Frame frame, int attribute) {
        return frame.kind() == Frame.Kind.PACKET && Bth.opcode(frame.packet(), 0) == Opcode.UD_SEND_ONLY
                && Mad.attribute(frame.packet().slice(Bth.BYTES + Deth.BYTES, Mad.BYTES)) == attribute;
    }

    /** Returns true when no host waits for an answer of another. */
    public boolean isQuiet() {
        return hosts.values().stream().allMatch(host -> host.management().isQuiet());
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
                .filter(RcEndpoint::isConnected).mapToLong(endpoint -> endpoint.counters().resentPackets()).sum();
    }
}
