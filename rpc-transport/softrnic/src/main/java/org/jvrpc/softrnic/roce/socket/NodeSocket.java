package org.jvrpc.softrnic.roce.socket;

import java.io.IOException;
import java.net.BindException;
import java.net.Inet4Address;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.StandardProtocolFamily;
import java.net.StandardSocketOptions;
import java.net.UnknownHostException;
import java.nio.channels.DatagramChannel;
import org.jvrpc.verbs.VerbsException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The UDP socket of a node.
 *
 * @param channel bound, and never blocks
 * @param mtu the longest payload of a packet that the interface takes
 * @param lack what keeps cards and rxe from being its peers; null for nothing
 */
public record NodeSocket(DatagramChannel channel, int mtu, String lack) {

    public static final int LEAST_MTU = 256;
    public static final int MOST_MTU = 4096;

    private static final Logger LOG = LoggerFactory.getLogger(NodeSocket.class);
    private static final int STANDARD_PORT = 4791;
    private static final int SOCKET_BYTES = 4 << 20;
    /** Of an Ethernet frame's payload, for all headers and the ICRC; as rxe counts. */
    private static final int HEADER_BYTES = 80;

    /**
     * Opens a socket.
     *
     * @param at this machine's address, not the wildcard; port 0 for any
     * @param foreign peers may be cards or rxe
     * @throws VerbsException when the address is in use, or none of this machine's
     */
    public static NodeSocket open(InetSocketAddress at, boolean foreign) {
        DatagramChannel channel = null;
        try {
            channel = DatagramChannel.open(at.getAddress() instanceof Inet4Address
                    ? StandardProtocolFamily.INET : StandardProtocolFamily.INET6);
            channel.configureBlocking(false);
            channel.setOption(StandardSocketOptions.SO_RCVBUF, SOCKET_BYTES);
            channel.setOption(StandardSocketOptions.SO_SNDBUF, SOCKET_BYTES);
            channel.bind(at);
            String lack = foreign ? ForeignPackets.prepare(channel) : null;
            return new NodeSocket(channel, mtuOf(at.getAddress()), lack);
        } catch (IOException e) {
            closeQuietly(channel);
            throw new VerbsException("open_device", refusal(at, e), e);
        }
    }

    private static String refusal(InetSocketAddress at, IOException e) {
        String host = at.getAddress().getHostAddress();
        if (!(e instanceof BindException) || e.getMessage() == null) {
            return "no UDP socket at address=" + at + ": " + e.getMessage();
        }
        return e.getMessage().contains("in use")
                ? "UDP port " + at.getPort() + " of " + host + " is in use by another process"
                        + (at.getPort() == STANDARD_PORT ? ", or by the kernel's rxe (rdma link show)" : "")
                : "no UDP socket at " + host + " port " + at.getPort() + ": " + e.getMessage()
                        + ": is it an address of this host?";
    }

    private static int mtuOf(InetAddress address) throws IOException {
        NetworkInterface found = NetworkInterface.getByInetAddress(
                address.isLoopbackAddress() ? InetAddress.getLoopbackAddress() : address); // it has all 127.0.0.0/8
        if (found == null) {
            throw new IOException("no network interface has this address");
        }
        int fits = Integer.highestOneBit(found.getMTU() - HEADER_BYTES);
        if (fits < LEAST_MTU) {
            throw new IOException("the interface's MTU is too small, mtu=" + found.getMTU());
        }
        return Math.min(fits, MOST_MTU);
    }

    /** Returns what tells a bound address from others: equal addresses of two links are two. */
    public static String name(InetSocketAddress bound) {
        return bound.getAddress().getHostAddress() + "#" + bound.getPort();
    }

    /**
     * Returns a peer's address as a socket reaches it: a link-local one means something on the socket's own link
     * alone.
     */
    public static InetSocketAddress near(InetSocketAddress socket, InetSocketAddress peer) {
        if (!(peer.getAddress() instanceof Inet6Address there && there.isLinkLocalAddress()
                && socket.getAddress() instanceof Inet6Address own)) {
            return peer;
        }
        try {
            return new InetSocketAddress(
                    Inet6Address.getByAddress(null, there.getAddress(), own.getScopeId()), peer.getPort());
        } catch (UnknownHostException e) {
            throw new IllegalStateException("address=" + peer, e);
        }
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
