package org.jvrpc.ibverbs.core;

import java.io.File;
import java.net.Inet4Address;
import java.net.Inet6Address;
import java.net.InetSocketAddress;
import java.util.Arrays;
import org.jvrpc.ibverbs.binding.LibC;
import org.jvrpc.ibverbs.binding.Libraries;
import org.jvrpc.ibverbs.binding.Native;
import org.jvrpc.verbs.VerbsException;
import org.jvrpc.verbs.host.NativeSocketOptions;

/**
 * Finds this process's UDP sockets by where they are bound, as the JDK does not tell a channel's file descriptor. One
 * UDP socket alone is bound to an address and port, so no other can be meant. Any thread. Source: getsockname(2).
 */
public final class BoundSockets implements NativeSocketOptions {

    private static final String DESCRIPTORS = "/proc/self/fd";
    private static final int SOL_SOCKET = 1;
    private static final int SO_TYPE = 3;
    private static final int SOCK_DGRAM = 2;
    private static final int AF_INET = 2;
    private static final int AF_INET6 = 10;
    /** {@code struct sockaddr_in6}, which has room for {@code sockaddr_in}. */
    private static final int ADDRESS_BYTES = 28;
    private static final int PORT = 2;
    private static final int IPV4_ADDRESS = 4;
    private static final int IPV6_ADDRESS = 8;
    private static final int IPV6_SCOPE = 24;
    private static final int INT = ADDRESS_BYTES;
    private static final int LENGTH = INT + 4;

    @Override
    public void set(InetSocketAddress bound, int level, int option, int value) {
        LibC c = Libraries.c();
        Native memory = Native.allocate(LENGTH + 4);
        int fd = find(c, memory, bound);
        memory.putInt(INT, value);
        if (c.setsockopt(fd, level, option, memory.address() + INT, 4) != 0) {
            throw NativeException.last("setsockopt", "address=" + bound + " level=" + level + " option=" + option
                    + " value=" + value);
        }
    }

    private static int find(LibC c, Native memory, InetSocketAddress bound) {
        String[] names = new File(DESCRIPTORS).list();
        if (names == null) {
            throw new VerbsException("setsockopt", DESCRIPTORS + " cannot be listed: is /proc mounted?");
        }
        for (String name : names) {
            int fd = Integer.parseInt(name);
            if (isDatagram(c, memory, fd) && isBound(c, memory, fd, bound)) {
                return fd;
            }
        }
        throw new VerbsException("setsockopt", "no UDP socket of this process is bound to address=" + bound);
    }

    private static boolean isDatagram(LibC c, Native memory, int fd) {
        memory.putInt(LENGTH, 4);
        return c.getsockopt(fd, SOL_SOCKET, SO_TYPE, memory.address() + INT, memory.address() + LENGTH) == 0
                && memory.getInt(INT) == SOCK_DGRAM;
    }

    private static boolean isBound(LibC c, Native memory, int fd, InetSocketAddress bound) {
        memory.putInt(LENGTH, ADDRESS_BYTES);
        if (c.getsockname(fd, memory.address(), memory.address() + LENGTH) != 0) {
            return false;
        }
        boolean ipv4 = bound.getAddress() instanceof Inet4Address;
        int port = memory.getByte(PORT) << 8 | memory.getByte(PORT + 1);
        byte[] address = bound.getAddress().getAddress();
        boolean sameLink = ipv4 || !bound.getAddress().isLinkLocalAddress()
                || memory.getInt(IPV6_SCOPE) == ((Inet6Address) bound.getAddress()).getScopeId();
        return sameLink && memory.getShort(0) == (ipv4 ? AF_INET : AF_INET6) && port == bound.getPort()
                && Arrays.equals(address, memory.getBytes(ipv4 ? IPV4_ADDRESS : IPV6_ADDRESS, address.length));
    }
}
