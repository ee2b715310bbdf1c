package org.jvrpc.fabric.trace;

import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.function.Predicate;
import org.jvrpc.fabric.network.Frame;
import org.jvrpc.fabric.network.Network;
import org.jvrpc.fabric.network.Pause;
import org.jvrpc.fabric.network.Port;
import org.jvrpc.roce.capture.PcapWriter;
import org.jvrpc.roce.wire.Icrc;

/**
 * Writes frames as they leave ports, in the format of libpcap with nanoseconds, so that other programs may look at
 * them: RoCEv2 packets over IPv4 with their ICRC, pauses by 802.1Qbb. Hosts and switches have the Ethernet addresses
 * 02-00-00-00-xx-xx by their numbers. FCS, preamble and announcements are left out. Without payloads, packets are cut
 * off behind their headers.
 */
public final class Pcap implements Network.Tap {

    private static final int MOST_BYTES = 1 << 16;
    private static final int ETHERNET_BYTES = 14;
    private static final int IPV4_BYTES = 20;
    private static final int UDP_BYTES = 8;
    private static final int IPV4 = 0x0800;
    private static final int MAC_CONTROL = 0x8808;
    private static final int PFC = 0x0101;
    private static final int PAUSE_BYTES = 60;
    private static final int SUBNET = 10 << 24;
    private static final int ROCE_PORT = 4791;

    private final PcapWriter out;
    private final Predicate<Port> ports;
    private final ByteBuffer bytes = ByteBuffer.allocate(MOST_BYTES);

    /**
     * Begins a file.
     *
     * @param ports whose frames are written; with one of each link, each frame is there once a hop
     */
    public Pcap(OutputStream out, Predicate<Port> ports) throws IOException {
        this.out = new PcapWriter(out);
        this.ports = ports;
    }

    @Override
    public void sent(long nowNs, Port from, Frame frame) {
        if (!ports.test(from) || frame.kind() == Frame.Kind.ANNOUNCEMENT) {
            return;
        }
        bytes.clear();
        int whole = frame.kind() == Frame.Kind.PAUSE ? pause(from, frame) : packet(from, frame);
        try {
            out.write(nowNs, bytes.flip(), whole);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void ethernet(long to, Port from, int type) {
        address(to);
        address(station(from.device().mac()));
        bytes.putShort((short) type);
    }

    private static long station(int number) {
        return 0x02L << 40 | number;
    }

    private void address(long address) {
        bytes.putShort((short) (address >> 32)).putInt((int) address);
    }

    private int pause(Port from, Frame frame) {
        ethernet(0x0180c2000001L, from, MAC_CONTROL);
        bytes.putShort((short) PFC).putShort((short) frame.enabled());
        for (int priority = 0; priority < Pause.PRIORITIES; priority++) {
            boolean enabled = (frame.enabled() >> priority & 1) != 0;
            bytes.putShort((short) (enabled ? frame.quanta(priority) : 0));
        }
        while (bytes.position() < PAUSE_BYTES) {
            bytes.put((byte) 0);
        }
        return PAUSE_BYTES;
    }

    private int packet(Port from, Frame frame) {
        ethernet(station(frame.mac()), from, IPV4);
        int udpBytes = UDP_BYTES + frame.packetBytes() + Icrc.BYTES;
        ipv4(frame, udpBytes);
        bytes.putShort((short) frame.sourcePort()).putShort((short) ROCE_PORT).putShort((short) udpBytes)
                .putShort((short) 0);
        int there = Math.min(frame.packetBytes(), frame.packet().capacity());
        bytes.put(bytes.position(), frame.packet(), 0, there).position(bytes.position() + there);
        if (there == frame.packetBytes()) {
            bytes.putInt(Integer.reverseBytes(frame.icrc()));
        }
        return ETHERNET_BYTES + IPV4_BYTES + udpBytes;
    }

    private void ipv4(Frame frame, int udpBytes) {
        int at = bytes.position();
        bytes.put((byte) 0x45).put((byte) frame.trafficClass()).putShort((short) (IPV4_BYTES + udpBytes))
                .putShort((short) frame.identification()).putShort((short) Icrc.DONT_FRAGMENT)
                .put((byte) 64).put((byte) 17).putShort((short) 0)
                .putInt(SUBNET | frame.source()).putInt(SUBNET | frame.destination());
        int sum = 0;
        for (int i = 0; i < IPV4_BYTES; i += 2) {
            sum += bytes.getShort(at + i) & 0xffff;
        }
        sum = (sum & 0xffff) + (sum >>> 16);
        bytes.putShort(at + 10, (short) ~((sum & 0xffff) + (sum >>> 16)));
    }
}
