package org.jvrpc.ibverbs.core;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import jnr.ffi.LibraryLoader;
import jnr.ffi.types.ssize_t;
import jnr.ffi.types.uintptr_t;
import org.jvrpc.ibverbs.binding.Libraries;
import org.jvrpc.ibverbs.binding.Native;

/**
 * A UDP socket that is told the traffic class of what comes, which no socket of the JDK is. Source: ip(7), ipv6(7),
 * recvmsg(2). One thread.
 *
 * <pre>
 * struct msghdr:   0 name:64 | 8 its length:32 | 16 iov:64 | 24 count:64 | 32 control:64 | 40 its length:64 | 48 flags
 * struct cmsghdr:  0 length:64 | 8 level:32 | 12 type:32 | 16 data
 * </pre>
 */
final class ClassReceiver implements AutoCloseable {

    /** What is used of libc. */
    public interface Calls {

        int socket(int domain, int type, int protocol);

        int bind(int fd, @uintptr_t long address, int length);

        int setsockopt(int fd, int level, int option, @uintptr_t long value, int length);

        int getsockname(int fd, @uintptr_t long address, @uintptr_t long length);

        @ssize_t long recvmsg(int fd, @uintptr_t long message, int flags);

        int close(int fd);
    }

    private static final Calls C = LibraryLoader.create(Calls.class).load("c");
    private static final int AF_INET = 2;
    private static final int AF_INET6 = 10;
    private static final int SOCK_DGRAM = 2;
    private static final int SOL_SOCKET = 1;
    private static final int SO_RCVTIMEO = 20;
    private static final int IP_RECVTOS = 13;
    private static final int IPPROTO_IPV6 = 41;
    private static final int IPV6_RECVTCLASS = 66;
    private static final int SECONDS = 30;
    private static final int PACKET_BYTES = 8192;
    private static final int CONTROL_BYTES = 256;
    private static final int FROM = 56;
    private static final int IOV = 84;
    private static final int ADDRESS_BYTES = 28;

    private final boolean ipv4;
    private final int fd;
    private final InetSocketAddress address;
    private final Native message = Native.allocate(IOV + 4 + 16);
    private final Native control = Native.allocate(CONTROL_BYTES);
    private final Native packet = Native.allocate(PACKET_BYTES);

    /** @param port 0 for any */
    ClassReceiver(InetAddress host, int port) {
        byte[] bytes = host.getAddress();
        ipv4 = bytes.length == 4;
        fd = C.socket(ipv4 ? AF_INET : AF_INET6, SOCK_DGRAM, 0);
        check("socket", fd);
        Native value = Native.allocate(16);
        value.putInt(0, 1);
        check("setsockopt", ipv4 ? C.setsockopt(fd, 0, IP_RECVTOS, value.address(), 4)
                : C.setsockopt(fd, IPPROTO_IPV6, IPV6_RECVTCLASS, value.address(), 4));
        value.putLong(0, SECONDS);
        check("setsockopt", C.setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, value.address(), 16));
        Native at = Native.allocate(ADDRESS_BYTES + 4).putShort(0, ipv4 ? AF_INET : AF_INET6)
                .putByte(2, port >> 8).putByte(3, port).putBytes(ipv4 ? 4 : 8, bytes);
        check("bind", C.bind(fd, at.address(), ipv4 ? 16 : ADDRESS_BYTES));
        at.putInt(ADDRESS_BYTES, ADDRESS_BYTES);
        check("getsockname", C.getsockname(fd, at.address(), at.address() + ADDRESS_BYTES));
        address = new InetSocketAddress(host, at.getByte(2) << 8 | at.getByte(3));
    }

    private static void check(String call, int result) {
        if (result < 0) {
            throw new IllegalStateException(call + " failed, errno=" + Libraries.errno());
        }
    }

    InetSocketAddress address() {
        return address;
    }

    /** Waits for a packet; returns the traffic class that it had on its way. */
    int receive() {
        message.clear().putLong(0, message.address() + FROM).putInt(8, ADDRESS_BYTES)
                .putLong(16, message.address() + IOV + 4).putLong(24, 1)
                .putLong(32, control.clear().address()).putLong(40, CONTROL_BYTES);
        message.putLong(IOV + 4, packet.address()).putLong(IOV + 12, PACKET_BYTES);
        check("recvmsg", (int) C.recvmsg(fd, message.address(), 0));
        if (message.getLong(40) < 20) {
            throw new IllegalStateException("the kernel told no traffic class");
        }
        return control.getInt(16) & 0xff;
    }

    /** Returns the last packet, from its BTH on. */
    ByteBuffer packet() {
        return ByteBuffer.wrap(packet.getBytes(0, PACKET_BYTES)).order(ByteOrder.BIG_ENDIAN);
    }

    @Override
    public void close() {
        C.close(fd);
    }
}
