package org.jvrpc.softrnic.roce.socket;

import java.io.IOException;
import java.net.Inet4Address;
import java.net.InetSocketAddress;
import java.net.StandardProtocolFamily;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import java.util.HashMap;
import java.util.Map;
import org.jvrpc.verbs.VerbsException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A socket that packets of one traffic class leave by, to anybody. A socket has one {@code IP_TOS}, or
 * {@code IPV6_TCLASS}, for all that it sends, so that a node has its own for class 0 and another for each class that
 * is asked for; the port of that is any, and nothing is received by it. Any thread.
 */
public final class ClassSocket {

    private static final Logger LOG = LoggerFactory.getLogger(ClassSocket.class);
    private static final int SOCKET_BYTES = 4 << 20;

    private final DatagramChannel channel;
    private final LostPackets lost;
    private final int port;

    private ClassSocket(DatagramChannel channel, LostPackets lost) throws IOException {
        this.channel = channel;
        this.lost = lost;
        this.port = ((InetSocketAddress) channel.getLocalAddress()).getPort();
    }

    /** The sockets of a node. */
    public static final class Pool implements AutoCloseable {

        private final ClassSocket own;
        private final InetSocketAddress from;
        private final boolean foreign;
        private final Map<Integer, ClassSocket> others = new HashMap<>();
        private boolean closed;

        /**
         * @param own the node's, for traffic class 0, which its owner closes
         * @param foreign peers may be cards or rxe
         */
        public Pool(DatagramChannel own, boolean foreign, LostPackets lost) throws IOException {
            this.own = new ClassSocket(own, lost);
            this.from = (InetSocketAddress) own.getLocalAddress();
            this.foreign = foreign;
        }

        /** Returns the node's own. */
        public ClassSocket own() {
            return own;
        }

        /**
         * Returns that of a traffic class, 0 to 255; it stays open as long as the node.
         *
         * @throws VerbsException when no socket can be had
         */
        public synchronized ClassSocket of(int trafficClass) {
            if (trafficClass == 0) {
                return own;
            }
            ClassSocket socket = others.get(trafficClass);
            if (socket == null) {
                socket = open(trafficClass);
                others.put(trafficClass, socket);
            }
            return socket;
        }

        private ClassSocket open(int trafficClass) {
            if (closed) {
                throw new VerbsException("traffic_class", "the socket is closed, address=" + from);
            }
            DatagramChannel channel = null;
            try {
                channel = DatagramChannel.open(from.getAddress() instanceof Inet4Address
                        ? StandardProtocolFamily.INET : StandardProtocolFamily.INET6);
                channel.configureBlocking(false);
                channel.setOption(StandardSocketOptions.SO_SNDBUF, SOCKET_BYTES);
                channel.setOption(StandardSocketOptions.IP_TOS, trafficClass);
                channel.bind(new InetSocketAddress(from.getAddress(), 0));
                if (foreign) {
                    ForeignPackets.prepare(channel); // what lacks was said of the node's own
                }
                return new ClassSocket(channel, own.lost);
            } catch (IOException e) {
                closeQuietly(channel);
                throw new VerbsException("traffic_class", "no UDP socket for packets of trafficClass=" + trafficClass
                        + " from " + from.getAddress().getHostAddress() + ": " + e.getMessage(), e);
            }
        }

        /** Closes all but the node's own. */
        @Override
        public synchronized void close() {
            closed = true;
            others.values().forEach(socket -> closeQuietly(socket.channel));
        }
    }

    /** Returns the UDP port that packets come from. */
    public int port() {
        return port;
    }

    /** Returns what the kernel has as the traffic class of packets. */
    int trafficClass() throws IOException {
        return channel.getOption(StandardSocketOptions.IP_TOS);
    }

    /** Sends a packet; it is lost where the socket has no room. */
    public void send(ByteBuffer packet, InetSocketAddress to) {
        try {
            if (channel.send(packet, to) == 0) {
                lost.noRoom();
            }
        } catch (IOException e) {
            lost.lost(to, e);
        }
    }

    /** Returns it as what packets to one peer leave by; closing that leaves the socket open. */
    public WayOut to(InetSocketAddress peer) {
        return new WayOut() {
            @Override
            public int port() {
                return port;
            }

            @Override
            public void send(ByteBuffer packet) {
                ClassSocket.this.send(packet, peer);
            }

            @Override
            public void close() {
                // others have it, too
            }
        };
    }

    private static void closeQuietly(DatagramChannel channel) {
        try {
            if (channel != null) {
                channel.close();
            }
        } catch (IOException e) {
            LOG.debug("closing {}: {}", channel, e.toString());
        }
    }
}
