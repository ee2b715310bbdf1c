package org.jvrpc.roce.capture;

import java.nio.ByteBuffer;
import org.jvrpc.roce.wire.Bth;
import org.jvrpc.roce.wire.Icrc;
import org.jvrpc.roce.wire.IpHeader;

/**
 * Headers of Ethernet, IPv4 or IPv6, and UDP around a packet of RoCEv2.
 *
 * <pre>
 * Ethernet:  0 destination:48 | 6 source:48 | 12 type:16
 * IP:        14, see {@link IpHeader}
 * UDP:       0 source port:16 | 2 destination port:16 | 4 length:16 | 6 checksum:16 (0: none)
 * </pre>
 * Filled again for the next one. One thread.
 */
public final class Frame {

    /** Port that packets of RoCEv2 go to. */
    public static final int ROCE_PORT = 4791;

    private static final int ETHERNET_BYTES = 14;
    private static final int TYPE = 12;
    private static final int IPV4 = 0x0800;
    private static final int IPV6 = 0x86dd;
    private static final int UDP_BYTES = 8;
    private static final int UDP = 17;
    private static final int MORE_OR_OFFSET = 0x3fff;
    private static final int MAC_BYTES = 6;

    private ByteBuffer bytes;
    private boolean ipv4;
    private int udp;
    private int length;

    /**
     * Looks at a frame; false when it holds no whole datagram of RoCEv2.
     *
     * @param frame big-endian, from 0 to its limit
     */
    public boolean parse(ByteBuffer frame) {
        if (frame.limit() < ETHERNET_BYTES + IpHeader.IPV4_BYTES + UDP_BYTES) {
            return false;
        }
        int type = frame.getShort(TYPE) & 0xffff;
        int protocol;
        int end;
        if (type == IPV4 && frame.get(ETHERNET_BYTES) == 0x45
                && (frame.getShort(ETHERNET_BYTES + 6) & MORE_OR_OFFSET) == 0) {
            ipv4 = true;
            protocol = frame.get(ETHERNET_BYTES + 9);
            udp = ETHERNET_BYTES + IpHeader.IPV4_BYTES;
            end = ETHERNET_BYTES + (frame.getShort(ETHERNET_BYTES + 2) & 0xffff);
        } else if (type == IPV6 && frame.limit() >= ETHERNET_BYTES + IpHeader.IPV6_BYTES + UDP_BYTES) {
            ipv4 = false;
            protocol = frame.get(ETHERNET_BYTES + 6);
            udp = ETHERNET_BYTES + IpHeader.IPV6_BYTES;
            end = udp + (frame.getShort(ETHERNET_BYTES + 4) & 0xffff);
        } else {
            return false;
        }
        int least = udp + UDP_BYTES + Bth.BYTES + Icrc.BYTES;
        if (protocol != UDP || end > frame.limit() || end < least
                || (frame.getShort(udp + 4) & 0xffff) != end - udp) {
            return false;
        }
        bytes = frame;
        length = end - udp - UDP_BYTES - Icrc.BYTES;
        return destinationPort() == ROCE_PORT;
    }

    /** Returns where the BTH lies. */
    public int bth() {
        return udp + UDP_BYTES;
    }

    /** Returns how many bytes there are from the BTH to the pad, without the ICRC. */
    public int length() {
        return length;
    }

    public boolean isIpv4() {
        return ipv4;
    }

    /** Returns the address that the IP header says. */
    public byte[] source() {
        return address(2);
    }

    public byte[] destination() {
        return address(1);
    }

    private byte[] address(int fromEnd) {
        byte[] address = new byte[ipv4 ? 4 : 16];
        bytes.get(udp - fromEnd * address.length, address);
        return address;
    }

    public int sourcePort() {
        return bytes.getShort(udp) & 0xffff;
    }

    public int destinationPort() {
        return bytes.getShort(udp + 2) & 0xffff;
    }

    /** Returns identification, flags and fragment of IPv4, as {@link Icrc#compute} takes them; 0 for IPv6. */
    public int fragment() {
        return ipv4 ? bytes.getInt(ETHERNET_BYTES + 4) : 0;
    }

    /** Returns DSCP and ECN. */
    public int trafficClass() {
        return ipv4 ? bytes.get(ETHERNET_BYTES + 1) & 0xff : bytes.getShort(ETHERNET_BYTES) >>> 4 & 0xff;
    }

    /** Returns how many bytes lie before the BTH. */
    public static int headerBytes(byte[] source) {
        return ETHERNET_BYTES + IpHeader.bytes(source) + UDP_BYTES;
    }

    /**
     * Writes the headers before a packet that lies at {@link #headerBytes}, and the ICRC behind it; returns the length
     * of the frame.
     *
     * @param icrc for the same two addresses
     * @param length from the BTH to the pad
     * @param identification of IPv4, 0 to 65,535; without meaning for IPv6
     * @param trafficClass DSCP and ECN
     * @param sourcePort chosen by the sender for each QP, so that its packets take one path
     */
    public static int write(ByteBuffer frame, Icrc icrc, byte[] source, byte[] destination, int length,
            int identification, int trafficClass, int sourcePort) {
        int udp = headerBytes(source) - UDP_BYTES;
        int udpBytes = UDP_BYTES + length + Icrc.BYTES;
        int fragment = identification << 16 | Icrc.DONT_FRAGMENT;
        for (int i = 0; i < 2; i++) { // locally administered addresses that tell whose they are
            byte[] of = i == 0 ? destination : source;
            frame.putShort(i * MAC_BYTES, (short) 0x0200).put(i * MAC_BYTES + 2, of, of.length - 4, 4);
        }
        frame.putShort(TYPE, (short) (source.length == 4 ? IPV4 : IPV6));
        IpHeader.write(frame, ETHERNET_BYTES, source, destination, udpBytes, identification, trafficClass);
        frame.putInt(udp, sourcePort << 16 | ROCE_PORT).putInt(udp + 4, udpBytes << 16);
        int bth = udp + UDP_BYTES;
        Icrc.write(frame, bth + length, icrc.compute(frame, bth, length, sourcePort, ROCE_PORT, fragment));
        return bth + length + Icrc.BYTES;
    }
}
