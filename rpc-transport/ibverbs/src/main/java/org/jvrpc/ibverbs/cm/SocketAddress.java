package org.jvrpc.ibverbs.cm;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.jvrpc.ibverbs.binding.Native;

/**
 * Socket addresses of C. Source: ip(7), ipv6(7); family in native order, port big-endian.
 *
 * <pre>
 * sockaddr_in:  0 family:16 | 2 port:16 | 4 address, 4 bytes | 8 zeros
 * sockaddr_in6: 0 family:16 | 2 port:16 | 4 flow:32 | 8 address, 16 bytes | 24 scope:32
 * </pre>
 */
final class SocketAddress {

    private static final int BYTES = 32;
    private static final int FAMILY = 0;
    private static final int PORT = 2;
    private static final int ADDRESS4 = 4;
    private static final int ADDRESS6 = 8;
    private static final int SCOPE6 = 24;
    private static final int AF_INET = 2;
    private static final int AF_INET6 = 10;

    private SocketAddress() {
    }

    /** Writes one. */
    static Native of(InetAddress address, int port) {
        Native out = Native.allocate(BYTES);
        boolean v6 = address instanceof Inet6Address;
        out.putShort(FAMILY, v6 ? AF_INET6 : AF_INET);
        out.putShort(PORT, ByteOrder.nativeOrder() == ByteOrder.LITTLE_ENDIAN
                ? Short.reverseBytes((short) port) : port);
        out.putBytes(v6 ? ADDRESS6 : ADDRESS4, address.getAddress());
        if (v6) {
            out.putInt(SCOPE6, ((Inet6Address) address).getScopeId());
        }
        return out;
    }

    /** Reads the host of one that C has; null for another family. */
    static InetAddress hostAt(long address) {
        ByteBuffer bytes = Native.view(address, BYTES);
        int family = bytes.getShort(FAMILY);
        if (family != AF_INET && family != AF_INET6) {
            return null;
        }
        byte[] host = new byte[family == AF_INET ? 4 : 16];
        bytes.get(family == AF_INET ? ADDRESS4 : ADDRESS6, host);
        try {
            return InetAddress.getByAddress(host);
        } catch (UnknownHostException e) {
            throw new IllegalStateException("bytes=" + host.length, e); // these are its lengths
        }
    }
}
