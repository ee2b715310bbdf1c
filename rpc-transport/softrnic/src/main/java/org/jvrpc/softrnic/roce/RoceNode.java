package org.jvrpc.softrnic.roce;

import java.io.Closeable;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.jvrpc.softrnic.datagram.Route;
import org.jvrpc.softrnic.datagram.RouteTable;
import org.jvrpc.softrnic.roce.socket.ClassSocket;
import org.jvrpc.softrnic.roce.socket.InnerLoop;
import org.jvrpc.softrnic.roce.socket.LostPackets;
import org.jvrpc.softrnic.roce.socket.NodeSocket;
import org.jvrpc.softrnic.roce.socket.Outlet;
import org.jvrpc.softrnic.roce.socket.ProgressThread;
import org.jvrpc.softrnic.roce.socket.Trial;
import org.jvrpc.softrnic.roce.socket.WayOut;
import org.jvrpc.verbs.VerbsException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A device on the network: its socket, the thread that takes packets when nobody polls, and its QPs. Any thread. */
public final class RoceNode implements AutoCloseable {

    /** Bytes of the longest packet, with its ICRC. */
    static final int MOST_PACKET = NodeSocket.MOST_MTU + 64;

    private static final Logger LOG = LoggerFactory.getLogger(RoceNode.class);
    private static final int LEAST_WINDOW = 8;
    private static final int MOST_WINDOW = 128;

    private static final long QUIET_PAUSE_NS = 500_000;
    /** Longer than a node that nobody uses takes to end. */
    private static final long END_NS = 1_000_000_000;

    private final DatagramChannel channel;
    private final ManagementPort management;
    /** Peers have the same UDP port; else they have the one that their packets come from. */
    private final boolean symmetric;
    private final String lack;
    private final Trial trial;
    private final InetSocketAddress address;
    private final RouteTable<RoceRoute> routes = new RouteTable<>();
    private final PacketIntake intake;
    private final AtomicLong dropped = new AtomicLong();
    private final LostPackets lost = new LostPackets();
    private final ProgressThread thread;
    private final Outlet.Pool outlets;
    private final ClassSocket.Pool sockets;
    private final int mtu;
    private final int receiveBytes;
    private final SharedNodes.Uses uses = new SharedNodes.Uses();
    /** Null until a QP wants it. */
    private volatile InnerLoop inner;

    private RoceNode(NodeSocket socket, boolean symmetric, Trial trial) throws IOException {
        this.symmetric = symmetric;
        this.lack = socket.lack();
        this.mtu = Math.min(socket.mtu(), trial.mtu());
        this.trial = trial;
        this.channel = socket.channel();
        this.receiveBytes = channel.getOption(StandardSocketOptions.SO_RCVBUF);
        this.address = (InetSocketAddress) channel.getLocalAddress();
        this.outlets = new Outlet.Pool(address, lost);
        this.sockets = new ClassSocket.Pool(channel, symmetric, lost);
        this.management = new ManagementPort(this);
        this.intake = new PacketIntake(this, channel);
        this.thread = new ProgressThread("jvrpc-roce-" + address.getPort(), channel, this::work);
    }

    /**
     * Opens a socket and begins to take packets.
     *
     * @param at this machine's address, not the wildcard, as the ICRC covers it; port 0 for any
     * @throws VerbsException when the address is in use, or none of this machine's
     */
    public static RoceNode open(InetSocketAddress at) {
        return open(at, false);
    }

    /** @param symmetric peers have the same UDP port */
    static RoceNode open(InetSocketAddress at, boolean symmetric) {
        Trial trial = Trial.read();
        NodeSocket socket = NodeSocket.open(at, symmetric);
        RoceNode node = null;
        try {
            node = new RoceNode(socket, symmetric, trial);
            node.thread.start();
            return node;
        } catch (IOException e) {
            closeQuietly(socket.channel());
            throw new VerbsException("open_device", "no UDP socket at address=" + at + ": " + e.getMessage(), e);
        } catch (RuntimeException | Error e) { // no thread, perhaps
            if (node != null) {
                node.thread.end();
            }
            closeQuietly(socket.channel());
            throw e;
        }
    }

    private static void closeQuietly(Closeable resource) {
        try {
            if (resource != null) {
                resource.close();
            }
        } catch (IOException e) {
            LOG.debug("closing {}: {}", resource, e.toString());
        }
    }

    /**
     * Returns how many packets may be under way to a peer whose socket is as this one: what finds no room there is
     * lost. The kernel counts twice what it says, and a packet as twice its bytes.
     */
    int window(int payload) {
        return Math.max(LEAST_WINDOW, Math.min(MOST_WINDOW, receiveBytes / (2 * payload)));
    }

    /** Returns the longest payload of a packet that the interface takes. */
    public int mtu() {
        return mtu;
    }

    /** Returns the ways of address handles. */
    RouteTable<RoceRoute> routes() {
        return routes;
    }

    /** Opens the way of an address handle. @throws VerbsException for an endpoint that cannot be reached */
    public Route openRoute(int pd, byte[] endpoint, int trafficClass) {
        return RoceRoute.open(this, pd, endpoint, trafficClass);
    }

    InetSocketAddress address() {
        return address;
    }

    ManagementPort management() {
        return management;
    }

    boolean isSymmetric() {
        return symmetric;
    }

    /** Returns what keeps cards and rxe from being its peers; null for nothing. */
    String lack() {
        return lack;
    }

    Trial trial() {
        return trial;
    }

    ProgressThread thread() {
        return thread;
    }

    long nowNs() {
        return System.nanoTime();
    }

    /** Returns what takes the packets. */
    PacketIntake intake() {
        return intake;
    }

    /** @throws VerbsException when it has ended */
    void add(int qpn, RocePort port) {
        SharedNodes.join(this);
        intake.add(qpn, port);
    }

    void remove(int qpn) {
        if (intake.remove(qpn)) {
            SharedNodes.leave(this);
        }
    }

    /** Waits until each QP was free for a moment. */
    public void quiesce() {
        intake.quiesce();
    }

    void dropped() {
        dropped.incrementAndGet();
    }

    /** Returns how many packets were dropped that were none, or for nobody, or said to QP 1 what is of no use. */
    public long droppedPackets() {
        return dropped.get() + management.dropped();
    }

    /**
     * Returns what packets of an RC QP to its peer leave by: a socket of their own, where the port that they come from
     * need not be that of all, and a socket can be had.
     *
     * @param loopsInside those to the node's own QPs need no socket
     * @throws VerbsException when no socket can be had that has the traffic class
     */
    WayOut wayOut(InetSocketAddress to, boolean loopsInside, int trafficClass) {
        if (loopsInside && to.equals(address)) {
            return new Inside(makeInner());
        }
        WayOut outlet = symmetric ? null : outlets.open(to, trafficClass);
        return outlet != null ? outlet : socket(trafficClass).to(to);
    }

    /**
     * Returns what packets of a traffic class leave by, to anybody: the node's own socket for 0.
     *
     * @throws VerbsException when no socket can be had
     */
    ClassSocket socket(int trafficClass) {
        return sockets.of(trafficClass);
    }

    /** Returns an address as this node reaches it. */
    InetSocketAddress near(InetSocketAddress peer) {
        return NodeSocket.near(address, peer);
    }

    /** Returns how many packets the sockets did not take. */
    public long lostPackets() {
        return lost.count();
    }

    /** Sends a packet; it is lost where the socket has no room. */
    void send(ByteBuffer bytes, InetSocketAddress to) {
        sockets.own().send(bytes, to);
    }

    /** Returns what packets to QPs of this node take that need no kernel. */
    private synchronized InnerLoop makeInner() {
        inner = inner == null ? new InnerLoop(lost) : inner;
        return inner;
    }

    /** Returns the same; null where no QP wanted it. */
    InnerLoop inner() {
        return inner;
    }

    /** What packets take that stay in the node. */
    private final class Inside implements WayOut {

        private final InnerLoop over;

        Inside(InnerLoop over) {
            this.over = over;
        }

        @Override
        public int port() {
            return address.getPort();
        }

        @Override
        public void send(ByteBuffer packet) {
            if (over.offer(packet) && !thread.isAside()) { // else callers take it, or have it look as they sleep
                thread.goOn();
            }
        }

        @Override
        public void close() {
            // others have it, too
        }
    }

    private long work() {
        if (!thread.isAside()) {
            intake.poll();
            InnerLoop rest = inner;
            if (rest != null && rest.isFilled()) {
                thread.goOn(); // more than a batch, or a caller had the socket
            }
        }
        long dueNs = Math.min(management.progress(nowNs()), intake.tick());
        if (!uses.isUnused()) {
            return dueNs;
        }
        long nowNs = nowNs();
        return SharedNodes.endUnused(this, nowNs) ? ProgressThread.NEVER : Math.min(dueNs, nowNs + QUIET_PAUSE_NS);
    }

    SharedNodes.Uses uses() {
        return uses;
    }

    void end() {
        management.farewell();
        thread.end();
        sockets.close();
        closeQuietly(channel);
    }

    /** Waits until one that nobody uses has ended. */
    void awaitEnd() {
        for (long startNs = nowNs(); uses.isUnused() && !uses.isEnded() && nowNs() - startNs < END_NS;) {
            LockSupport.parkNanos(this, QUIET_PAUSE_NS);
        }
    }

    /** Ends one that is not shared, after its peers' answers to disconnects, which it waits for for a short time. */
    @Override
    public void close() {
        for (long startNs = nowNs(); !management.isQuiet() && nowNs() - startNs < SharedNodes.QUIET_NS;) {
            LockSupport.parkNanos(this, QUIET_PAUSE_NS);
        }
        SharedNodes.end(this);
    }
}
