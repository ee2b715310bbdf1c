package org.jvrpc.softrnic.roce;

import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import org.jvrpc.softrnic.datagram.Route;
import org.jvrpc.softrnic.datagram.RouteTable;
import org.jvrpc.softrnic.roce.socket.ClassSocket;
import org.jvrpc.verbs.VerbsException;

/** The way of an address handle to a device on the network. Any thread. */
final class RoceRoute implements Route {

    /** In the last half of the GID of an IPv4 address. */
    private static final long MAPPED = 0xffffL << 32;

    private final RouteTable<RoceRoute> routes;
    private final int index;
    private final int pd;
    private final InetSocketAddress address;
    private final int mtu;
    private final ClassSocket socket;
    private final long gidHigh;
    private final long gidLow;

    private RoceRoute(RouteTable<RoceRoute> routes, int index, int pd, InetSocketAddress address, int mtu,
            ClassSocket socket) {
        this.routes = routes;
        this.index = index;
        this.pd = pd;
        this.address = address;
        this.mtu = mtu;
        this.socket = socket;
        ByteBuffer bytes = ByteBuffer.wrap(address.getAddress().getAddress());
        boolean ipv4 = bytes.capacity() == Integer.BYTES;
        this.gidHigh = ipv4 ? 0 : bytes.getLong(0);
        this.gidLow = ipv4 ? MAPPED | bytes.getInt(0) & 0xffffffffL : bytes.getLong(Long.BYTES);
    }

    /** @throws VerbsException when an endpoint is none, or cannot be reached from this node in that traffic class */
    static RoceRoute open(RoceNode node, int pd, byte[] endpoint, int trafficClass) {
        RoceEndpoint peer = RoceEndpoint.decode("create_ah", endpoint);
        InetSocketAddress to = peer.address();
        if (!to.getAddress().getClass().equals(node.address().getAddress().getClass())) {
            throw new VerbsException("create_ah", "peer is of another family, address=" + to + " own="
                    + node.address());
        }
        RouteTable<RoceRoute> routes = node.routes();
        ClassSocket socket = node.socket(trafficClass);
        return routes.add(index -> new RoceRoute(
                routes, index, pd, node.near(to), Math.min(peer.mtu(), node.mtu()), socket));
    }

    @Override
    public int index() {
        return index;
    }

    @Override
    public int pd() {
        return pd;
    }

    @Override
    public long gidHigh() {
        return gidHigh;
    }

    @Override
    public long gidLow() {
        return gidLow;
    }

    InetSocketAddress address() {
        return address;
    }

    /** Returns what datagrams leave by. */
    ClassSocket socket() {
        return socket;
    }

    /** Returns the longest payload that both devices' packets may have. */
    int mtu() {
        return mtu;
    }

    @Override
    public void close() {
        routes.remove(this);
    }
}
