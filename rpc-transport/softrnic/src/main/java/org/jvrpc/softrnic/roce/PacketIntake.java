package org.jvrpc.softrnic.roce;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.jvrpc.roce.rc.Urgency;
import org.jvrpc.roce.wire.Icrc;
import org.jvrpc.roce.wire.Packet;
import org.jvrpc.softrnic.queue.SendEngine;
import org.jvrpc.softrnic.roce.ring.QpnTable;
import org.jvrpc.softrnic.roce.socket.InnerLoop;
import org.jvrpc.softrnic.roce.socket.ProgressThread;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes the packets of a node's socket and hands each to its QP: by the node's thread, or by callers who poll. Any
 * thread.
 */
final class PacketIntake {

    private static final Logger LOG = LoggerFactory.getLogger(PacketIntake.class);
    private static final int BATCH = 32;
    /** Of packets that never left the node; leaves room for those from the socket. */
    private static final int INNER_BATCH = BATCH / 2;
    /** The longest that others wait for whose polls take packets. */
    private static final long TURN_NS = 20_000;

    private final RoceNode node;
    private final DatagramChannel channel;
    private final QpnTable<RocePort> ports = new QpnTable<>();
    private final QpnTable<UdPort> datagramPorts = new QpnTable<>();
    private final ReentrantLock receiving = new ReentrantLock();
    private final ByteBuffer in = ByteBuffer.allocateDirect(RoceNode.MOST_PACKET);
    private final Packet packet = new Packet();
    private final RoceEngine[] touched = new RoceEngine[BATCH];
    private final Consumer<RocePort> ticker = this::tick;
    /** Whose polls take packets, and when they did last. */
    private volatile SendEngine poller;
    private volatile long polledNs;
    /** The node's thread: when it looks at the QPs, and when the first of them is to go on. */
    private long tickedNs;
    private long dueNs;
    /** Whose lock the thread has that takes packets; null for none. With {@link #receiving} held, as the next. */
    private SendEngine caller;
    /** When the look under way began. */
    private long nowNs;
    /** Packets of the look under way that QPs took. */
    private int taken;
    /** The last look at the socket found a packet. */
    private boolean found;
    /** Packets come faster than callers look: one look takes all that are there. */
    private boolean several;
    /** The last look took packets of this node's own and left the socket to the next. */
    private boolean spared;

    PacketIntake(RoceNode node, DatagramChannel channel) {
        this.node = node;
        this.channel = channel;
    }

    void add(int qpn, RocePort port) {
        ports.put(qpn, port);
    }

    /** Returns false where it was not there. */
    boolean remove(int qpn) {
        boolean there = ports.remove(qpn);
        poller = null; // perhaps it
        return there;
    }

    void add(int qpn, UdPort port) {
        datagramPorts.put(qpn, port);
    }

    void removeDatagrams(int qpn) {
        datagramPorts.remove(qpn);
        poller = null;
    }

    /** Waits until each QP was free for a moment. */
    void quiesce() {
        ports.forEach(port -> port.roce().await());
        datagramPorts.forEach(port -> port.datagrams().await());
    }

    /** Has QPs go on that wait for time to pass; returns when the next does. The node's thread. */
    long tick() {
        tickedNs = node.nowNs();
        dueNs = ProgressThread.NEVER;
        ports.forEach(ticker);
        return dueNs;
    }

    private void tick(RocePort port) {
        RoceEngine engine = port.roce();
        if (engine.isUnfinished() || engine.deadlineNs() <= tickedNs) {
            go(engine, Urgency.ALL, tickedNs, null);
        }
        dueNs = Math.min(dueNs, engine.deadlineNs());
    }

    /**
     * Returns true when a caller of another QP took packets just now, as one look at the socket serves all: a CQ of a
     * thousand QPs asks for each of them.
     */
    boolean isPolledFor(SendEngine engine, long atNs) {
        SendEngine known = poller;
        if (known == engine) {
            return false;
        }
        if (known != null && atNs - polledNs < TURN_NS) {
            return true;
        }
        poller = engine;
        return false;
    }

    /**
     * Takes packets that came, as {@link #poll}, in the node's thread's place: one, unless packets come faster than
     * callers look, as a look for the next costs as much as a short packet.
     *
     * @param engine whose lock is held
     */
    boolean pollByCaller(SendEngine engine, long atNs) {
        node.thread().polled();
        if (!receiving.tryLock()) {
            return false;
        }
        try {
            polledNs = atNs;
            caller = engine;
            return poll(atNs, several ? BATCH : 1);
        } finally {
            caller = null;
            receiving.unlock();
        }
    }

    /** Takes packets that came; returns true when QPs took some. Nothing where another thread does. */
    boolean poll() {
        if (!receiving.tryLock()) {
            return false;
        }
        try {
            return poll(node.nowNs(), BATCH);
        } finally {
            receiving.unlock();
        }
    }

    private boolean poll(long atNs, int most) {
        if (!channel.isOpen()) {
            return false;
        }
        nowNs = atNs;
        taken = 0;
        int inner = takeInner();
        int count = inner;
        int limit = Math.min(BATCH, inner + most);
        spared = inner > 0 && !spared;
        try {
            for (; !spared && count < limit; count++) {
                in.clear();
                InetSocketAddress from = (InetSocketAddress) channel.receive(in);
                if (from == null) {
                    break;
                }
                touched[count] = take(from, in.position());
            }
        } catch (IOException e) {
            LOG.debug("no packets at {}: {}", node.address(), e.toString());
        } finally {
            if (!spared) {
                several = count - inner > 1 || count - inner == 1 && found;
                found = count > inner;
            }
            settle(count);
        }
        return taken > 0;
    }

    /** Takes packets that never left the node; returns how many. They are looked at as those from the socket are. */
    private int takeInner() {
        InnerLoop inner = node.inner();
        int count = 0;
        if (inner != null) {
            while (inner.isFilled() && count < INNER_BATCH) {
                int bytes = inner.poll(in);
                if (bytes == 0) {
                    break;
                }
                touched[count++] = take(node.address(), bytes);
            }
        }
        return count;
    }

    private RoceEngine take(InetSocketAddress from, int bytes) {
        int length = bytes - Icrc.BYTES;
        if (packet.parse(in, 0, length) != Packet.Verdict.OK) {
            node.dropped();
            return null;
        }
        if (packet.qpn() == ManagementPort.QPN) {
            if (node.management().offer(packet, in, from)) {
                node.thread().wake();
            } else {
                node.dropped();
            }
            return null;
        }
        RocePort port = ports.find(packet.qpn());
        if (port == null) {
            takeDatagram(from, length);
            return null;
        }
        return receive(port.roce(), length, from) ? port.roce() : null;
    }

    /** One that fails does not keep the others from taking theirs. */
    private boolean receive(RoceEngine engine, int length, InetSocketAddress from) {
        try {
            if (engine.receive(packet, in, length, from, nowNs, caller)) {
                taken++;
                return true;
            }
        } catch (RuntimeException | Error e) {
            fail(engine, e);
        }
        return false;
    }

    private void fail(RoceEngine engine, Throwable cause) {
        LOG.error("a QP at {} fails", node.address(), cause);
        try {
            engine.fail();
        } catch (RuntimeException | Error e) {
            LOG.error("a QP at {} cannot be ended", node.address(), e);
        }
    }

    private void takeDatagram(InetSocketAddress from, int length) {
        UdPort port = datagramPorts.find(packet.qpn());
        if (port == null) {
            node.dropped();
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
                Urgency urgency = engine == poller ? Urgency.FIRST : Urgency.ASKED; // pollers handle what came first
                go(engine, urgency, nowNs, caller);
            }
        }
    }

    /** One that fails does not keep the others from going on. */
    private void go(RoceEngine engine, Urgency urgency, long atNs, SendEngine holder) {
        try {
            engine.go(urgency, atNs, holder);
        } catch (RuntimeException | Error e) {
            fail(engine, e);
        }
    }
}
