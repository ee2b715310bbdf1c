package org.jvrpc.fabric.host;

import java.nio.ByteBuffer;
import org.jvrpc.fabric.network.Frame;
import org.jvrpc.roce.wire.Icrc;

/** What packets between two NICs are in: addresses and, in a network with payloads, the ICRC over them. */
final class Envelope {

    private static final int ROCE_PORT = 4791;
    /** 10.0.0.0, where hosts have their addresses. */
    private static final int SUBNET = 10;

    private final Nic nic;
    private final int peer;
    private final int sourcePort;
    private final Icrc outgoing;
    private final Icrc incoming;

    Envelope(Nic nic, int peer, int sourcePort) {
        this.nic = nic;
        this.peer = peer;
        this.sourcePort = sourcePort;
        boolean payloads = nic.network().hasPayloads();
        outgoing = payloads ? new Icrc(nic.address(), address(peer)) : null;
        incoming = payloads ? new Icrc(address(peer), nic.address()) : null;
    }

    /** Returns the IPv4 address of a host: 10 and its number. */
    static byte[] address(int mac) {
        return new byte[] {SUBNET, (byte) (mac >> 16), (byte) (mac >> 8), (byte) mac};
    }

    /** Returns the number of the host that has an IPv4 address. */
    static int mac(byte[] address) {
        return ByteBuffer.wrap(address).getInt() & 0xffffff;
    }

    /** Returns the number of the other NIC. */
    int peer() {
        return peer;
    }

    /** Addresses a packet to the other NIC. */
    void seal(Frame frame, int length, int serviceLevel, int trafficClass) {
        seal(frame, length, serviceLevel, trafficClass, sourcePort);
    }

    /** Addresses a packet to the other NIC, in a flow of its own. */
    void seal(Frame frame, int length, int serviceLevel, int trafficClass, int flowPort) {
        frame.address(nic.mac(), peer, flowPort, nic.nextIdentification(), serviceLevel, trafficClass);
        frame.setLane(nic.lane(serviceLevel));
        frame.length(length);
        frame.setMac(nic.nextHop());
        frame.setIcrc(outgoing == null ? 0
                : outgoing.compute(frame.packet(), 0, length, flowPort, ROCE_PORT, fragment(frame)));
    }

    /** Returns true when a frame comes from the other NIC, and undamaged. */
    boolean isSound(Frame frame) {
        if (frame.source() != peer || incoming == null) {
            return frame.source() == peer && !frame.isDamaged();
        }
        return frame.icrc() == incoming.compute(frame.packet(), 0, frame.packetBytes(), frame.sourcePort(), ROCE_PORT,
                fragment(frame));
    }

    private static int fragment(Frame frame) {
        return frame.identification() << 16 | Icrc.DONT_FRAGMENT;
    }
}
