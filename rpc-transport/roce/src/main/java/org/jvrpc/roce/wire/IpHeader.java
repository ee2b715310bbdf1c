package org.jvrpc.roce.wire;

import java.nio.ByteBuffer;

/**
 * Header of IPv4, without options, or of IPv6, in front of a UDP datagram.
 *
 * <pre>
 * IPv4: 0 version:4 words:4 | 1 DSCP:6 ECN:2 | 2 length:16 | 4 identification:16 | 6 flags and fragment:16
 *       8 TTL:8 | 9 protocol:8 | 10 checksum:16 | 12 source:32 | 16 destination:32
 * IPv6: 0 version:4 traffic class:8 flow label:20 | 4 length:16 | 6 next header:8 | 7 hop limit:8
 *       8 source:128 | 24 destination:128
 * </pre>
 */
public final class IpHeader {

    /** Bytes in a header of IPv4. */
    public static final int IPV4_BYTES = 20;
    /** Bytes in a header of IPv6. */
    public static final int IPV6_BYTES = 40;

    private static final int IPV4_ADDRESS_BYTES = 4;
    private static final int UDP = 17;
    private static final int HOPS = 64;
    private static final int CHECKSUM = 10;

    private IpHeader() {
    }

    /** Returns how many bytes the header takes whose addresses are as long as this one. */
    public static int bytes(byte[] address) {
        return address.length == IPV4_ADDRESS_BYTES ? IPV4_BYTES : IPV6_BYTES;
    }

    /**
     * Writes a header as Linux does for a packet that must not be fragmented, with flow label 0.
     *
     * @param source of 4 or 16 bytes, as destination
     * @param udpBytes length of the UDP datagram, its header included
     * @param identification of IPv4, 0 to 65,535; without meaning for IPv6
     * @param trafficClass DSCP and ECN
     */
    public static void write(ByteBuffer to, int at, byte[] source, byte[] destination, int udpBytes,
            int identification, int trafficClass) {
        int addresses = at + bytes(source) - 2 * source.length;
        to.put(addresses, source).put(addresses + source.length, destination);
        if (source.length == IPV4_ADDRESS_BYTES) {
            to.putInt(at, 0x45 << 24 | trafficClass << 16 | IPV4_BYTES + udpBytes);
            to.putInt(at + 4, identification << 16 | Icrc.DONT_FRAGMENT).putInt(at + 8, HOPS << 24 | UDP << 16);
            to.putShort(at + CHECKSUM, checksum(to, at));
        } else {
            to.putInt(at, 6 << 28 | trafficClass << 20);
            to.putInt(at + 4, udpBytes << 16 | UDP << 8 | HOPS);
        }
    }

    /** Ones' complement of the ones' complement sum of a header whose checksum is 0 (RFC 1071). */
    private static short checksum(ByteBuffer header, int at) {
        int sum = 0;
        for (int i = 0; i < IPV4_BYTES; i += 2) {
            sum += header.getShort(at + i) & 0xffff;
        }
        sum = (sum & 0xffff) + (sum >>> 16);
        return (short) ~(sum + (sum >>> 16));
    }
}
