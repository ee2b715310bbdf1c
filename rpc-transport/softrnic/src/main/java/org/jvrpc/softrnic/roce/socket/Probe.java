package org.jvrpc.softrnic.roce.socket;

import java.io.Closeable;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import org.jvrpc.roce.wire.Bth;
import org.jvrpc.roce.wire.Icrc;

/**
 * A connected UDP socket beside an attempt: the kernel says by it which local address leads to the peer, and whether
 * the peer's host answers that nobody has the port, which a socket that is not connected never hears. One thread.
 */
public final class Probe implements Closeable {

    /** How often the peer's host is asked again. */
    private static final long REPEAT_NS = 200_000_000;

    /**
     * Zeros, as long as the shortest packet: for QPN 0, which there is none of. Over IPv6 rxe of Linux 6.1 was seen to
     * take the kernel down when a datagram is shorter than a BTH.
     */
    private static final int BYTES = Bth.BYTES + Icrc.BYTES;

    private final DatagramChannel channel;
    private final InetSocketAddress remote;
    private final ByteBuffer in = ByteBuffer.allocate(1);
    private final ByteBuffer out = ByteBuffer.allocate(BYTES);
    private long lastNs;

    private Probe(DatagramChannel channel, InetSocketAddress remote) {
        this.channel = channel;
        this.remote = remote;
        this.lastNs = System.nanoTime();
    }

    /** Sends zeros, which are dropped. @throws IOException when no way leads there */
    public static Probe open(RoceAddress address) throws IOException {
        InetSocketAddress remote = new InetSocketAddress(
                address.resolve("connect"), address.udp() == 0 ? address.port() : address.udp());
        DatagramChannel channel = DatagramChannel.open();
        try {
            if (address.from() != null) {
                channel.bind(new InetSocketAddress(address.resolve("connect", address.from()), 0));
            }
            channel.configureBlocking(false);
            channel.connect(remote);
            Probe probe = new Probe(channel, remote);
            probe.send();
            return probe;
        } catch (IOException | RuntimeException e) {
            channel.close();
            throw e;
        }
    }

    public InetSocketAddress remote() {
        return remote;
    }

    /** Returns the address from which the peer is reached. */
    public InetAddress local() throws IOException {
        return ((InetSocketAddress) channel.getLocalAddress()).getAddress();
    }

    /** @throws IOException when the peer's host said that nobody has the port */
    public void look() throws IOException {
        channel.read(in.clear());
        long nowNs = System.nanoTime();
        if (nowNs - lastNs >= REPEAT_NS) {
            lastNs = nowNs;
            send();
        }
    }

    private void send() throws IOException {
        channel.write(out.clear());
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
