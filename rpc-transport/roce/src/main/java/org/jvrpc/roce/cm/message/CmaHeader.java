package org.jvrpc.roce.cm.message;

import java.nio.ByteBuffer;

/**
 * Header of rdma_cm, first in a REQ's private data.
 *
 * <pre>
 * 0 CMA version:8 (0) | 1 IP version:4, reserved:4 | 2 source port:16
 * 4 source address:128 (IPv4 at 16) | 20 destination address:128 (IPv4 at 32)
 * </pre>
 */
public final class CmaHeader {

    /** Bytes in the header. */
    public static final int BYTES = 36;

    private static final int IP_VERSION = 1;
    private static final int PORT = 2;
    private static final int SOURCE = 4;
    private static final int DESTINATION = 20;
    private static final int IPV4 = 12;

    private CmaHeader() {
    }

    static void write(ByteBuffer mad, int at, int sourcePort, Gid source, Gid destination) {
        mad.put(at + IP_VERSION, (byte) (source.isIpv4() ? 0x40 : 0x60)).putShort(at + PORT, (short) sourcePort);
        writeAddress(mad, at + SOURCE, source);
        writeAddress(mad, at + DESTINATION, destination);
    }

    private static void writeAddress(ByteBuffer mad, int at, Gid gid) {
        if (gid.isIpv4()) {
            mad.putInt(at + IPV4, (int) gid.low());
        } else {
            gid.write(mad, at);
        }
    }

    /** Returns whether the CMA version is 0 and the IP version 4 or 6. */
    static boolean isValid(ByteBuffer mad, int at) {
        int version = ipVersion(mad, at);
        return mad.get(at) == 0 && (version == 4 || version == 6);
    }

    static int ipVersion(ByteBuffer mad, int at) {
        return mad.get(at + IP_VERSION) >> 4 & 0xf;
    }

    static int sourcePort(ByteBuffer mad, int at) {
        return mad.getShort(at + PORT) & 0xffff;
    }

    static Gid source(ByteBuffer mad, int at) {
        return address(mad, at, SOURCE);
    }

    static Gid destination(ByteBuffer mad, int at) {
        return address(mad, at, DESTINATION);
    }

    private static Gid address(ByteBuffer mad, int header, int offset) {
        int at = header + offset;
        return ipVersion(mad, header) == 4 ? Gid.ofIpv4(mad.getInt(at + IPV4)) : Gid.read(mad, at);
    }
}
