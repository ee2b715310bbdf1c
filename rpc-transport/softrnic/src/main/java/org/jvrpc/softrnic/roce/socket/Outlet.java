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
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A socket that packets of QPs to one peer leave by, all of one traffic class. As it is connected, the kernel looks for
 * no way for each packet; its port, which is any, tells the flow from others, as cards choose theirs. Nothing is
 * received by it. Any thread.
 */
public final class Outlet implements WayOut {

    private static final Logger LOG = LoggerFactory.getLogger(Outlet.class);
    private static final int SOCKET_BYTES = 4 << 20;

    private final Pool pool;
    private final Key key;
    private final DatagramChannel channel;
    private final int port;
    /** QPs that have it. Guarded by the pool. */
    private int users;

    private record Key(InetSocketAddress to, int trafficClass) {
    }

    /** The outlets of a node, one for each peer and traffic class. */
    public static final class Pool {

        private final InetSocketAddress from;
        private final Map<Key, Outlet> outlets = new HashMap<>();
        private final LostPackets lost;

        /** @param from local address; the port does not matter */
        public Pool(InetSocketAddress from, LostPackets lost) {
            this.from = from;
            this.lost = lost;
        }

        /**
         * Returns the outlet to a peer, to be closed when the QP ends; null when no socket can be had.
         *
         * @param trafficClass 0 to 255
         */
        public synchronized Outlet open(InetSocketAddress to, int trafficClass) {
            Key key = new Key(to, trafficClass);
            Outlet outlet = outlets.get(key);
            if (outlet == null) {
                try {
                    outlet = new Outlet(this, key);
                } catch (IOException e) { // too many files, or no way leads there now
                    LOG.debug("no outlet to {}: {}", to, e.toString());
                    return null;
                }
                outlets.put(key, outlet);
            }
            outlet.users++;
            return outlet;
        }

        public synchronized int size() {
            return outlets.size();
        }

        private synchronized void close(Outlet outlet) {
            if (--outlet.users == 0) {
                outlets.remove(outlet.key);
                outlet.closeChannel();
            }
        }
    }

    private Outlet(Pool pool, Key key) throws IOException {
        this.pool = pool;
        this.key = key;
        this.channel = DatagramChannel.open(key.to.getAddress() instanceof Inet4Address
                ? StandardProtocolFamily.INET : StandardProtocolFamily.INET6); // one for both looks for a way each time
        try {
            channel.configureBlocking(false);
            channel.setOption(StandardSocketOptions.SO_SNDBUF, SOCKET_BYTES);
            if (key.trafficClass != 0) {
                channel.setOption(StandardSocketOptions.IP_TOS, key.trafficClass);
            }
            channel.bind(new InetSocketAddress(pool.from.getAddress(), 0));
            channel.connect(key.to);
            port = ((InetSocketAddress) channel.getLocalAddress()).getPort();
        } catch (IOException | RuntimeException e) {
            closeChannel();
            throw e;
        }
    }

    @Override
    public int port() {
        return port;
    }

    /** Sends a packet; it is lost where the socket has no room, or the peer's host says that nobody is there. */
    @Override
    public void send(ByteBuffer packet) {
        try {
            if (channel.write(packet) == 0) {
                pool.lost.noRoom();
            }
        } catch (IOException e) {
            pool.lost.lost(key.to, e);
        }
    }

    @Override
    public void close() {
        pool.close(this);
    }

    private void closeChannel() {
        try {
            channel.close();
        } catch (IOException e) {
            LOG.debug("closing {}: {}", channel, e.toString());
        }
    }
}
