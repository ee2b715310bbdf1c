package org.jvrpc.softrnic.roce;

import java.io.Closeable;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;

/**
 * A connected UDP socket beside an attempt: the kernel says by it which local address leads to the peer, and whether
 * the peer's host answers that nobody has the port, which a socket that is not connected never hears. One thread.
 */
final class Probe implements Closeable {

    /** How often the peer's host is asked again. */
    private static final long REPEAT_NS = 200_000_000;

    private final DatagramChannel channel;
    private final InetSocketAddress remote;
    private final ByteBuffer in = ByteBuffer.allocate(1);
    private long lastNs;

    private Probe(DatagramChannel channel, InetSocketAddress remote) {
        this.channel = channel;
        this.remote = remote;
        this.lastNs = System.nanoTime();
    }

    /** Sends one byte, which is no packet. @throws IOException when no way leads there */
    static Probe open(RoceAddress address) throws IOException {
        InetSocketAddress remote = new InetSocketAddress(
                address.resolve("connect"), address.udp() == 0 ? address.port() : address.udp());
        DatagramChannel channel = DatagramChannel.open();
        try {
            if (address.from() != null) {
                channel.bind(new InetSocketAddress(address.resolve("connect", address.from()), 0));
            }
            channel.configureBlocking(false);
            channel.connect(remote);
            channel.write(ByteBuffer.allocate(1));
            return new Probe(channel, remote);
        } catch (IOException | RuntimeException e) {
            channel.close();
            throw e;
        }
    }

    InetSocketAddress remote() {
        return remote;
    }

    /** Returns the address from which the peer is reached. */
    InetAddress local() throws IOException {
        return ((InetSocketAddress) channel.getLocalAddress()).getAddress();
    }

    /** @throws IOException when the peer's host said that nobody has the port */
    void look() throws IOException {
        channel.read(in.clear());
        long nowNs = System.nanoTime();
        if (nowNs - lastNs >= REPEAT_NS) {
            lastNs = nowNs;
            channel.write(in.clear());
        }
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
