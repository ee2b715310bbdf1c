package org.jvrpc.softrnic.roce;

import java.io.Closeable;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import org.jvrpc.roce.rc.Urgency;
import org.jvrpc.roce.wire.Icrc;
import org.jvrpc.roce.wire.Packet;
import org.jvrpc.softrnic.datagram.Route;
import org.jvrpc.softrnic.datagram.RouteTable;
import org.jvrpc.softrnic.queue.SendEngine;
import org.jvrpc.softrnic.roce.socket.LostPackets;
import org.jvrpc.softrnic.roce.socket.NodeSocket;
import org.jvrpc.softrnic.roce.socket.Outlet;
import org.jvrpc.softrnic.roce.socket.ProgressThread;
import org.jvrpc.softrnic.roce.socket.Trial;
import org.jvrpc.verbs.VerbsException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A device on the network: its socket, the thread that takes packets when nobody polls, and its QPs. Any thread. */
public final class RoceNode implements AutoCloseable {

    /** Bytes of the longest packet, with its ICRC. */
    static final int MOST_PACKET = NodeSocket.MOST_MTU + 64;

    private static final Logger LOG = LoggerFactory.getLogger(RoceNode.class);
    private static final int BATCH = 32;
    /** The longest that others wait for whose polls take packets. */
    private static final long TURN_NS = 20_000;
    private static final int LEAST_WINDOW = 8;
    private static final int MOST_WINDOW = 128;

    /** How long a disconnect's answer is waited for when a node is closed. */
    private static final long QUIET_NS = 100_000_000;
    private static final long QUIET_PAUSE_NS = 500_000;
    /** Those that devices of the process share. */
    private static final Map<String, RoceNode> SHARED = new HashMap<>();

    private final DatagramChannel channel;
    private final ManagementPort management;
    /** Peers have the same UDP port; else they have the one that their packets come from. */
    private final boolean symmetric;
    private final String lack;
    private final Trial trial;
    private final InetSocketAddress address;
    private final Map<Integer, RocePort> ports = new ConcurrentHashMap<>();
    private final Map<Integer, UdPort> datagramPorts = new ConcurrentHashMap<>();
    private final RouteTable<RoceRoute> routes = new RouteTable<>();
    private final ReentrantLock receiving = new ReentrantLock();
    private final ByteBuffer in = ByteBuffer.allocateDirect(MOST_PACKET);
    private final Packet packet = new Packet();
    private final RoceEngine[] touched = new RoceEngine[BATCH];
    private final AtomicLong dropped = new AtomicLong();
    private final LostPackets lost = new LostPackets();
    private final ProgressThread thread;
    private final Outlet.Pool outlets;
    private final int mtu;
    private final int receiveBytes;
    /** Whose polls take packets, and when they did last. */
    private volatile SendEngine poller;
    private volatile long polledNs;
    /** Whose lock the thread has that takes packets; null for none. With {@link #receiving} held, as the next. */
    private SendEngine caller;
    /** Packets of the poll under way that QPs took. */
    private int taken;
    /** Devices that have it. Guarded by {@link #SHARED}. */
    private int users = 1;

    private RoceNode(NodeSocket socket, boolean symmetric, Trial trial) throws IOException {
        this.symmetric = symmetric;
        this.lack = socket.lack();
        this.mtu = Math.min(socket.mtu(), trial.mtu());
        this.trial = trial;
        this.channel = socket.channel();
        this.receiveBytes = channel.getOption(StandardSocketOptions.SO_RCVBUF);
        this.address = (InetSocketAddress) channel.getLocalAddress();
        this.outlets = new Outlet.Pool(address, lost);
        this.management = new ManagementPort(this);
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

    /**
     * Returns the node of the process that has an address and a port, or opens it.
     *
     * @param symmetric peers have the same UDP port
     */
    static RoceNode share(InetSocketAddress at, boolean symmetric) {
        synchronized (SHARED) {
            RoceNode known = SHARED.get(NodeSocket.name(at));
            if (known == null) {
                RoceNode node = open(at, symmetric);
                SHARED.put(NodeSocket.name(node.address), node);
                return node;
            }
            if (known.symmetric != symmetric) {
                throw new VerbsException("open_device", "UDP port at address=" + at + " is in use by this process "
                        + (symmetric ? "without" : "with") + " ?udp=");
            }
            known.users++;
            return known;
        }
    }

    private static RoceNode open(InetSocketAddress at, boolean symmetric) {
        Trial trial = Trial.read();
        NodeSocket socket = NodeSocket.open(at, symmetric);
        try {
            RoceNode node = new RoceNode(socket, symmetric, trial);
            node.thread.start();
            return node;
        } catch (IOException e) {
            closeQuietly(socket.channel());
            throw new VerbsException("open_device", "no UDP socket at address=" + at + ": " + e.getMessage(), e);
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
    public Route openRoute(int pd, byte[] endpoint) {
        return RoceRoute.open(this, pd, endpoint);
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

    void add(int qpn, RocePort port) {
        ports.put(qpn, port);
    }

    void remove(int qpn) {
        ports.remove(qpn);
        poller = null; // perhaps it
    }

    void add(int qpn, UdPort port) {
        datagramPorts.put(qpn, port);
    }

    void remove(int qpn, UdPort port) {
        datagramPorts.remove(qpn, port);
        poller = null;
    }

    /** Waits until each QP was free for a moment. */
    public void quiesce() {
        ports.values().forEach(port -> port.roce().await());
        datagramPorts.values().forEach(port -> port.datagrams().await());
    }

    void dropped() {
        dropped.incrementAndGet();
    }

    /** Returns how many packets were dropped that were none, or for nobody, or said to QP 1 what is of no use. */
    public long droppedPackets() {
        return dropped.get() + management.dropped();
    }

    /**
     * Returns what packets to a peer leave by instead of the node's own socket; null where the port that packets come
     * from is to be that of all.
     */
    Outlet outlet(InetSocketAddress to) {
        return symmetric ? null : outlets.open(to);
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
        try {
            if (channel.send(bytes, to) == 0) {
                lost.noRoom();
            }
        } catch (IOException e) {
            lost.lost(to, e);
        }
    }

    private long work() {
        if (!thread.isAside()) {
            poll();
        }
        return Math.min(management.progress(nowNs()), tick());
    }

    private long tick() {
        long nowNs = nowNs();
        long dueNs = ProgressThread.NEVER;
        for (RocePort port : ports.values()) {
            RoceEngine engine = port.roce();
            if (engine.isUnfinished() || engine.deadlineNs() <= nowNs) {
                go(engine, Urgency.ALL);
            }
            dueNs = Math.min(dueNs, engine.deadlineNs());
        }
        return dueNs;
    }

    /**
     * Returns true when a caller of another QP took packets just now, as one look at the socket serves all: a CQ of a
     * thousand QPs asks for each of them.
     */
    boolean isPolledFor(SendEngine engine) {
        SendEngine known = poller;
        if (known == engine) {
            return false;
        }
        if (known != null && nowNs() - polledNs < TURN_NS) {
            return true;
        }
        poller = engine;
        return false;
    }

    /** Takes packets that came, as {@link #poll}, in the node's thread's place. @param engine whose lock is held */
    boolean pollByCaller(SendEngine engine) {
        thread.polled();
        if (!receiving.tryLock()) {
            return false;
        }
        try {
            polledNs = nowNs();
            caller = engine;
            return poll();
        } finally {
            caller = null;
            receiving.unlock();
        }
    }

    /** Takes packets that came; returns true when QPs took some. Nothing where another thread does. */
    boolean poll() {
        if (!channel.isOpen() || !receiving.tryLock()) {
            return false;
        }
        int count = 0;
        taken = 0;
        try {
            for (; count < BATCH; count++) {
                in.clear();
                InetSocketAddress from = (InetSocketAddress) channel.receive(in);
                if (from == null) {
                    break;
                }
                touched[count] = take(from, in.position());
            }
        } catch (IOException e) {
            LOG.debug("no packets at {}: {}", address, e.toString());
        } finally {
            try {
                settle(count);
            } finally {
                receiving.unlock();
            }
        }
        return taken > 0;
    }

    private RoceEngine take(InetSocketAddress from, int bytes) {
        int length = bytes - Icrc.BYTES;
        if (packet.parse(in, 0, length) != Packet.Verdict.OK) {
            dropped();
            return null;
        }
        if (packet.qpn() == ManagementPort.QPN) {
            if (management.offer(packet, in, from)) {
                thread.wake();
            } else {
                dropped();
            }
            return null;
        }
        RocePort port = ports.get(packet.qpn());
        if (port == null) {
            takeDatagram(from, length);
            return null;
        }
        return receive(port.roce(), length, from) ? port.roce() : null;
    }

    /** One that fails does not keep the others from taking theirs. */
    private boolean receive(RoceEngine engine, int length, InetSocketAddress from) {
        try {
            if (engine.receive(packet, in, length, from, caller)) {
                taken++;
                return true;
            }
        } catch (RuntimeException | Error e) {
            fail(engine, e);
        }
        return false;
    }

    private void fail(RoceEngine engine, Throwable cause) {
        LOG.error("a QP at {} fails", address, cause);
        try {
            engine.fail();
        } catch (RuntimeException | Error e) {
            LOG.error("a QP at {} cannot be ended", address, e);
        }
    }

    private void takeDatagram(InetSocketAddress from, int length) {
        UdPort port = datagramPorts.get(packet.qpn());
        if (port == null) {
            dropped();
        } else {
            port.datagrams().receive(packet, in, length, from, caller);
            taken++;
        }
    }

    private void settle(int count) {
        for (int i = 0; i < count; i++) {
            RoceEngine engine = touched[i];
            touched[i] = null;
            if (engine != null && (i + 1 == count || touched[i + 1] != engine)) {
                go(engine, engine == poller ? Urgency.FIRST : Urgency.ASKED); // pollers handle what came first
            }
        }
    }

    /** One that fails does not keep the others from going on. */
    private void go(RoceEngine engine, Urgency urgency) {
        try {
            engine.go(urgency, caller);
        } catch (RuntimeException | Error e) {
            fail(engine, e);
        }
    }

    /** Lets go of it; the last user closes it, which waits for its peers' answers to disconnects, for a short time. */
    @Override
    public void close() {
        if (isLast()) {
            awaitQuiet();
        }
        synchronized (SHARED) {
            if (--users != 0) {
                return;
            }
            end(); // within the lock: whoever opens it again finds the port free
            SHARED.remove(NodeSocket.name(address), this);
        }
    }

    private boolean isLast() {
        synchronized (SHARED) {
            return users == 1;
        }
    }

    private void awaitQuiet() {
        long startNs = nowNs();
        while (!management.isQuiet() && nowNs() - startNs < QUIET_NS) {
            LockSupport.parkNanos(this, QUIET_PAUSE_NS);
        }
    }

    private void end() {
        thread.end();
        closeQuietly(channel);
    }
}
