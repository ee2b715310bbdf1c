package org.jvrpc.benchmarks.roce;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardProtocolFamily;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;

/** Sizes and sockets of bare datagrams, as the packets of the same traffic over {@code roce://} have them. */
final class Datagrams {

    /** A SEND of 16 bytes: BTH, payload, ICRC. */
    static final int SMALL = 12 + 16 + 4;
    /** A packet in the midst of a WRITE, where the path MTU is 4096. */
    static final int LARGE = 12 + 4096 + 4;
    /** Bytes of one transfer. */
    static final int TRANSFER = 1 << 20;
    /** Datagrams of one transfer. */
    static final int COUNT = TRANSFER / 4096;
    /** After so many the receiver says that they came. */
    static final int BATCH = 32;
    /** So many may be under way. */
    static final int WINDOW = 4 * BATCH;
    /** A datagram that is not there by then is lost, which must not happen here. */
    static final long LIMIT_NS = 5_000_000_000L;

    private static final int SOCKET_BYTES = 4 << 20;

    private Datagrams() {
    }

    /** Opens a socket that does not block. */
    static DatagramChannel open() throws IOException {
        DatagramChannel channel = DatagramChannel.open(StandardProtocolFamily.INET);
        channel.setOption(StandardSocketOptions.SO_RCVBUF, SOCKET_BYTES);
        channel.setOption(StandardSocketOptions.SO_SNDBUF, SOCKET_BYTES);
        channel.configureBlocking(false);
        return channel.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
    }

    static int port(DatagramChannel channel) throws IOException {
        return ((InetSocketAddress) channel.getLocalAddress()).getPort();
    }

    /** Reads in a spin; returns the bytes. @throws IOException when nothing comes */
    static int await(DatagramChannel channel, ByteBuffer into) throws IOException {
        long end = System.nanoTime() + LIMIT_NS;
        into.clear();
        int bytes;
        while ((bytes = channel.read(into)) <= 0) {
            if (System.nanoTime() - end > 0) {
                throw new IOException("no datagram within ns=" + LIMIT_NS);
            }
            Thread.onSpinWait();
        }
        return bytes;
    }

    /** Writes one, however often the socket has no room. */
    static void write(DatagramChannel channel, ByteBuffer from, int bytes) throws IOException {
        do {
            from.clear().limit(bytes);
        } while (channel.write(from) == 0);
    }
}
