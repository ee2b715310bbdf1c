package org.jvrpc.watch.fabric.mesh;

import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import org.jvrpc.fabric.host.DatagramApplication;
import org.jvrpc.fabric.host.DatagramEndpoint;
import org.jvrpc.fabric.host.Nic;
import org.jvrpc.verbs.WcStatus;
import org.jvrpc.watch.FlowKind;
import org.jvrpc.watch.ProbeTransport;
import org.jvrpc.watch.StampSource;

/** Probes as datagrams of a NIC of the fabric, which stamps them. A flow is a UDP source port. One thread. */
public final class SimulatedProbes implements ProbeTransport {

    /** The most flows: as many as there are dynamic ports. */
    public static final int MOST_FLOWS = 1 << 14;

    private static final int QKEY = 0x4a505157;
    private static final int FIRST_PORT = 0xc000;
    private static final int MAGIC = 0x4a46;
    private static final int ADDRESS_BYTES = 10;
    private static final int MOST_LEVEL = 7;

    /** Where a datagram goes. */
    private record Way(int mac, int qpn) { }

    /** A send that has left when payload is null, a datagram that came otherwise. */
    private record Event(ByteBuffer payload, long cookie, long nicNs) { }

    private final Nic nic;
    private final int flows;
    private final DatagramEndpoint endpoint;
    private final List<Way> ways = new ArrayList<>();
    private final ArrayDeque<Event> events = new ArrayDeque<>();
    private Runnable wake = () -> { };

    /** @param flows to each peer, 1 to {@value #MOST_FLOWS} */
    public SimulatedProbes(Nic nic, int flows) {
        if (flows < 1 || flows > MOST_FLOWS) {
            throw new IllegalArgumentException("flows must be 1 to " + MOST_FLOWS + ", flows=" + flows);
        }
        this.nic = nic;
        this.flows = flows;
        this.endpoint = nic.datagrams(QKEY, nic.network().mtu(), new DatagramApplication() {
            @Override
            public void arrived(int mac, int qpn, ByteBuffer from, int at, int length, long nicNs) {
                happened(new Event(ByteBuffer.allocate(length).put(0, from, at, length), 0, nicNs));
            }

            @Override
            public void sent(long cookie, long nicNs) {
                happened(new Event(null, cookie, nicNs));
            }
        });
    }

    /** Returns the UDP source port of a flow. */
    public static int sourcePort(int flow) {
        return FIRST_PORT | flow & MOST_FLOWS - 1;
    }

    /** Sets what is run when there is something to {@link #poll}, at that time. */
    public void onEvent(Runnable run) {
        wake = run;
    }

    private void happened(Event event) {
        events.add(event);
        wake.run();
    }

    /** Returns the NIC. */
    public Nic nic() {
        return nic;
    }

    @Override
    public byte[] address() {
        return ByteBuffer.allocate(ADDRESS_BYTES).putShort((short) MAGIC).putInt(nic.mac()).putInt(endpoint.qpn())
                .array();
    }

    @Override
    public int maxBytes() {
        return endpoint.mtu();
    }

    @Override
    public int flows() {
        return flows;
    }

    @Override
    public FlowKind flowKind() {
        return FlowKind.PORT;
    }

    @Override
    public StampSource stamps() {
        return StampSource.NIC;
    }

    @Override
    public int peer(byte[] address) {
        ByteBuffer in = ByteBuffer.wrap(address);
        if (address.length != ADDRESS_BYTES || in.getShort() != MAGIC) {
            throw new IllegalArgumentException("no address of a host of the fabric: bytes=" + address.length);
        }
        ways.add(new Way(in.getInt(), in.getInt()));
        return ways.size() - 1;
    }

    @Override
    public void forget(int peer) {
        ways.set(peer, null); // nothing was opened for it
    }

    @Override
    public boolean send(int peer, int flow, int serviceLevel, ByteBuffer payload, long cookie) {
        Way way = ways.get(peer);
        return endpoint.send(way.mac(), way.qpn(), sourcePort(flow), Math.min(serviceLevel, MOST_LEVEL), payload,
                cookie);
    }

    @Override
    public int poll(Events to) {
        int count = events.size();
        for (int i = 0; i < count; i++) {
            Event event = events.poll();
            if (event.payload() == null) {
                to.sent(event.cookie(), WcStatus.SUCCESS, event.nicNs());
            } else {
                to.received(event.payload(), event.nicNs());
            }
        }
        return count;
    }

    /** Returns at once: {@link #onEvent} tells. */
    @Override
    public void await(long timeoutNs) {
        // time goes on elsewhere
    }

    @Override
    public void close() {
        wake = () -> { };
    }
}
