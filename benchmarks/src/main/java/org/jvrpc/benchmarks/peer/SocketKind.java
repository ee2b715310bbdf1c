package org.jvrpc.benchmarks.peer;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.StandardProtocolFamily;
import java.net.StandardSocketOptions;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import org.jvrpc.benchmarks.rdma.Link;

/** Kinds of stream socket. */
public enum SocketKind {
    /** TCP over the loopback device, without delay of small segments. */
    TCP {
        @Override
        ServerSocketChannel bind(Path directory) throws IOException {
            return ServerSocketChannel.open().bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        }

        @Override
        String text(SocketAddress bound) {
            return Integer.toString(((InetSocketAddress) bound).getPort());
        }

        @Override
        SocketChannel connect(String address) throws IOException {
            SocketChannel channel = SocketChannel.open(
                    new InetSocketAddress(InetAddress.getLoopbackAddress(), Integer.parseInt(address)));
            tune(channel);
            return channel;
        }

        @Override
        void tune(SocketChannel channel) throws IOException {
            channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
        }
    },
    /** TCP over the veth pair of the RDMA devices: each end is bound to its address, so that every packet crosses. */
    LINK {
        @Override
        ServerSocketChannel bind(Path directory) throws IOException {
            return ServerSocketChannel.open().bind(new InetSocketAddress(Link.SERVER.address(), 0));
        }

        @Override
        String text(SocketAddress bound) {
            return TCP.text(bound);
        }

        @Override
        SocketChannel connect(String address) throws IOException {
            SocketChannel channel = SocketChannel.open().bind(new InetSocketAddress(Link.CLIENT.address(), 0));
            channel.connect(new InetSocketAddress(Link.SERVER.address(), Integer.parseInt(address)));
            tune(channel);
            return channel;
        }

        @Override
        void tune(SocketChannel channel) throws IOException {
            TCP.tune(channel);
        }
    },
    /** Unix-domain. */
    UDS {
        @Override
        ServerSocketChannel bind(Path directory) throws IOException {
            ServerSocketChannel channel = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
            return channel.bind(UnixDomainSocketAddress.of(directory.resolve("socket")));
        }

        @Override
        String text(SocketAddress bound) {
            return bound.toString();
        }

        @Override
        SocketChannel connect(String address) throws IOException {
            return SocketChannel.open(UnixDomainSocketAddress.of(address));
        }

        @Override
        void tune(SocketChannel channel) {
        }
    };

    abstract ServerSocketChannel bind(Path directory) throws IOException;

    abstract String text(SocketAddress bound);

    abstract SocketChannel connect(String address) throws IOException;

    abstract void tune(SocketChannel channel) throws IOException;
}
