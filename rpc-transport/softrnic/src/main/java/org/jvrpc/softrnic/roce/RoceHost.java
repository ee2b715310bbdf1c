package org.jvrpc.softrnic.roce;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jvrpc.roce.cm.message.PrivateBytes;
import org.jvrpc.softrnic.roce.ring.QpTally;
import org.jvrpc.softrnic.roce.socket.RoceAddress;
import org.jvrpc.verbs.Connection;
import org.jvrpc.verbs.EventChannel;
import org.jvrpc.verbs.Listener;
import org.jvrpc.verbs.QueuePair;
import org.jvrpc.verbs.VerbsException;

/** The sockets of a device: where it listens, and from where it connects. Any thread. */
public final class RoceHost implements AutoCloseable {

    private static final QueuePairNumbers NUMBERS =
            new QueuePairNumbers(new SecureRandom()::nextInt, System::nanoTime);

    private final InetAddress near;
    private final int udp;
    private final Keeper keeper;
    /** With any port, by local address and scope. Guarded by this, as is the next. */
    private final Map<String, RoceNode> own = new HashMap<>();
    /** With a port that others of the process may use, too: those that this device has used and that are open. */
    private final Set<RoceNode> shared = new HashSet<>();
    /** Of QPs that are connected without a connection manager, where that is shared; it stays open. */
    private RoceNode home;
    private boolean closed;
    private final QpTally tally = new QpTally();
    /** Packets that nodes have dropped, and that did not leave, whose sockets are closed. Guarded by this. */
    private long droppedBefore;
    private long lostBefore;

    /**
     * A device's.
     *
     * @param near local address of QPs that are connected without a connection manager
     * @param udp their UDP port and their peers'; 0 for any
     */
    public RoceHost(InetAddress near, int udp, Keeper keeper) {
        this.near = near;
        this.udp = udp;
        this.keeper = keeper;
    }

    /** Returns what sums the counters of QPs. */
    public QpTally tally() {
        return tally;
    }

    /**
     * Returns what QPs have counted, with {@code dropped_pkts}, which were no packets, or for nobody, or from elsewhere
     * than the peer, and {@code lost_pkts}, which the kernel did not take: both of sockets that other devices of the
     * process may have in common with this one.
     */
    public Map<String, Long> counters() {
        Map<String, Long> named = tally.sum().named();
        synchronized (this) {
            named.put("dropped_pkts", droppedBefore + nodes().stream().mapToLong(RoceNode::droppedPackets).sum());
            named.put("lost_pkts", lostBefore + nodes().stream().mapToLong(RoceNode::lostPackets).sum());
        }
        return named;
    }

    Keeper keeper() {
        return keeper;
    }

    /** Returns a number that no QP of this process has. */
    public static int claimQpn() {
        return NUMBERS.claim();
    }

    public static void releaseQpn(int number) {
        NUMBERS.release(number);
    }

    public static int maxRequestBytes() {
        return PrivateBytes.MAX_REQUEST;
    }

    public static int maxAnswerBytes() {
        return PrivateBytes.MAX_ANSWER;
    }

    /** Returns the node of QPs that are connected without a connection manager. */
    public synchronized RoceNode home() {
        if (udp == 0) {
            return from(near);
        }
        checkOpen();
        home = home == null ? use(new InetSocketAddress(near, udp), true) : home;
        return home;
    }

    private synchronized RoceNode from(InetAddress local) {
        checkOpen();
        return own.computeIfAbsent(local.getHostAddress(), at -> RoceNode.open(new InetSocketAddress(local, 0)));
    }

    /** Returns a node that its user leaves. */
    private synchronized RoceNode use(InetSocketAddress address, boolean symmetric) {
        checkOpen();
        shared.removeIf(this::isGone);
        RoceNode node = SharedNodes.use(address, symmetric);
        shared.add(node);
        return node;
    }

    private boolean isGone(RoceNode node) {
        if (!node.uses().isEnded()) {
            return false;
        }
        droppedBefore += node.droppedPackets();
        lostBefore += node.lostPackets();
        return true;
    }

    private void checkOpen() {
        if (closed) {
            throw new VerbsException("device", "device is closed");
        }
    }

    /** Returns the node that connects to an address; its user leaves it. @param local what leads there */
    RoceNode connectFrom(RoceAddress address, InetAddress local) {
        if (address.udp() != 0) {
            return use(new InetSocketAddress(local, address.udp()), true);
        }
        RoceNode node = from(local);
        SharedNodes.join(node);
        return node;
    }

    /** @throws VerbsException when the address is none of this host, or in use */
    public Listener listen(String text, EventChannel channel) {
        RoceAddress address = RoceAddress.parse(text);
        InetAddress host = address.resolve("listen");
        if (host.isAnyLocalAddress()) {
            throw new VerbsException("listen", text + ": " + host.getHostAddress() + " is no address of one interface,"
                    + " which the checksum of packets covers: name the one that peers connect to");
        }
        boolean symmetric = address.udp() != 0;
        RoceNode node;
        try {
            node = use(new InetSocketAddress(host, symmetric ? address.udp() : address.port()), symmetric);
        } catch (VerbsException e) {
            throw new VerbsException("listen", text + ": " + e.getMessage(), e);
        }
        RoceListener listener;
        try {
            listener = RoceListener.open(node, address, keeper, channel);
        } catch (RuntimeException | Error e) {
            SharedNodes.leave(node);
            throw e;
        }
        return keeper.keep(listener);
    }

    /** Connects a QP in INIT. */
    public Connection connect(String text, QueuePair qp, byte[] privateData, EventChannel channel, long timeoutNs,
            Runnable meanwhile) {
        RoceAddress address = RoceAddress.parse(text);
        if (address.port() == 0) {
            throw new IllegalArgumentException("address=" + text + " names no port to connect to");
        }
        byte[] framed = PrivateBytes.wrap(privateData, PrivateBytes.MAX_REQUEST);
        RocePort port = RocePort.of("connect", qp);
        return RoceConnector.run(this, address, port, framed, channel, timeoutNs, meanwhile);
    }

    /** Waits until nobody copies by keys that were looked up before. */
    public void quiesce() {
        nodes().forEach(RoceNode::quiesce);
    }

    private synchronized List<RoceNode> nodes() {
        List<RoceNode> nodes = new ArrayList<>(own.values());
        nodes.addAll(shared);
        return nodes;
    }

    @Override
    public void close() {
        List<RoceNode> left;
        synchronized (this) {
            if (closed) {
                return;
            }
            closed = true;
            left = List.copyOf(shared);
        }
        if (home != null) {
            SharedNodes.leave(home);
        }
        own.values().forEach(RoceNode::close);
        left.forEach(RoceNode::awaitEnd); // whoever is told that the device is closed finds its ports free
    }
}
