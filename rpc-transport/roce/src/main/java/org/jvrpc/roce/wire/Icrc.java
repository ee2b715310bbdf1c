package org.jvrpc.roce.wire;

import java.nio.ByteBuffer;
import java.util.zip.CRC32;

/**
 * Invariant CRC of packets that go one way between two addresses: CRC-32 over what routers leave as it is, stored
 * little-endian behind the pad. Covered are, in this order, 8 bytes of ones, the IP header, the UDP header, all from
 * the BTH to the pad, with ones for what may change on the way (IPv4: type of service, time to live, checksum; IPv6:
 * traffic class, flow label, hop limit; the UDP checksum; BTH byte 4).
 *
 * <p>IPv4's identification is covered, and is hidden from a receiver on a UDP socket: {@link #identification} finds the
 * one that makes a CRC right. A CRC then still tells 65,535 of 65,536 damaged packets. One thread.
 *
 * <p>Source: IBA volume 1, annex A17.3.3; rxe_icrc.c.
 */
public final class Icrc {

    /** Bytes in the CRC. */
    public static final int BYTES = 4;
    /** The second word of an IPv4 header with identification 0 that must not be fragmented. */
    public static final int DONT_FRAGMENT = 0x4000;

    private static final int ONES = 8;
    private static final int UDP_BYTES = 8;
    private static final int IPV4_BYTES = 20;
    private static final int IPV6_BYTES = 40;
    private static final int IPV4_ADDRESS_BYTES = 4;
    private static final int UDP_PROTOCOL = 17;
    private static final int IDENTIFICATION = ONES + 4;
    private static final int BTH_MASKED = 4;

    private final CRC32 crc = new CRC32();
    private final boolean ipv4;
    private final int udp;
    private final int bth;
    private final ByteBuffer head;
    private final byte[] headBytes;

    /**
     * For packets from one address to another, both of 4 or both of 16 bytes.
     *
     * @throws IllegalArgumentException for addresses of other lengths
     */
    public Icrc(byte[] source, byte[] destination) {
        ipv4 = source.length == IPV4_ADDRESS_BYTES;
        if (source.length != destination.length || !ipv4 && source.length != 16) {
            throw new IllegalArgumentException(
                    "addresses of source.length=" + source.length + " destination.length=" + destination.length);
        }
        udp = ONES + (ipv4 ? IPV4_BYTES : IPV6_BYTES);
        bth = udp + UDP_BYTES;
        headBytes = new byte[bth + Bth.BYTES];
        head = ByteBuffer.wrap(headBytes);
        head.putLong(0, -1);
        if (ipv4) {
            head.put(ONES, (byte) 0x45).put(ONES + 1, (byte) -1);
            head.put(ONES + 8, (byte) -1).put(ONES + 9, (byte) UDP_PROTOCOL).putShort(ONES + 10, (short) -1);
        } else {
            head.putInt(ONES, 0x6fffffff).put(ONES + 6, (byte) UDP_PROTOCOL).put(ONES + 7, (byte) -1);
        }
        head.put(udp - 2 * source.length, source).put(udp - source.length, destination);
    }

    /**
     * Returns the CRC of a packet, as a number whose low byte is the first on the wire.
     *
     * @param packet its BTH lies at {@code at}; position and limit are as before when this returns
     * @param length from the BTH to the pad, at least {@link Bth#BYTES}
     * @param fragment IPv4: identification and flags, for instance {@link #DONT_FRAGMENT}; IPv6: without meaning
     */
    public int compute(ByteBuffer packet, int at, int length, int sourcePort, int destinationPort, int fragment) {
        int udpLength = UDP_BYTES + length + BYTES;
        if (ipv4) {
            head.putShort(ONES + 2, (short) (IPV4_BYTES + udpLength)).putInt(IDENTIFICATION, fragment);
        } else {
            head.putShort(ONES + 4, (short) udpLength);
        }
        head.putLong(udp, (long) sourcePort << 48 | (destinationPort & 0xffffL) << 32 | udpLength << 16 | 0xffff);
        head.putLong(bth, packet.getLong(at)).putInt(bth + Long.BYTES, packet.getInt(at + Long.BYTES));
        headBytes[bth + BTH_MASKED] = -1;
        crc.reset();
        crc.update(headBytes, 0, headBytes.length);
        if (length > Bth.BYTES) {
            int position = packet.position();
            int limit = packet.limit();
            packet.limit(at + length).position(at + Bth.BYTES);
            crc.update(packet);
            packet.limit(limit).position(position);
        }
        return (int) crc.getValue();
    }

    /**
     * Returns the IPv4 identification with which a CRC is right; -1 where none is, so that the packet is damaged.
     *
     * @param computed with identification 0 and the flags that the sender sets
     * @param received as it came
     * @param length from the BTH to the pad
     */
    public static int identification(int computed, int received, int length) {
        int behind = IPV4_BYTES - (IDENTIFICATION - ONES) + UDP_BYTES + length;
        int difference = CrcShift.back(computed ^ received, behind);
        return difference >>> 16 != 0 ? -1 : (difference & 0xff) << 8 | difference >>> 8;
    }

    /** Writes a CRC behind the pad. */
    public static void write(ByteBuffer packet, int end, int icrc) {
        packet.putInt(end, Integer.reverseBytes(icrc));
    }

    /** Reads the CRC behind the pad. */
    public static int read(ByteBuffer packet, int end) {
        return Integer.reverseBytes(packet.getInt(end));
    }
}
