package org.jvrpc.softrnic.roce;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.security.SecureRandom;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.jvrpc.roce.cm.CmConnection;
import org.jvrpc.roce.cm.CmEvent;
import org.jvrpc.roce.cm.CmPeer;
import org.jvrpc.roce.cm.CmSettings;
import org.jvrpc.roce.cm.ConnectionManager;
import org.jvrpc.roce.cm.message.ConnectReply;
import org.jvrpc.roce.cm.message.ConnectRequest;
import org.jvrpc.roce.cm.message.Gid;
import org.jvrpc.roce.cm.message.Mad;
import org.jvrpc.roce.wire.Bth;
import org.jvrpc.roce.wire.Deth;
import org.jvrpc.roce.wire.Icrc;
import org.jvrpc.roce.wire.Opcode;
import org.jvrpc.roce.wire.Packet;
import org.jvrpc.softrnic.roce.socket.ProgressThread;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * QP 1 of a node: messages of connection management, in datagrams. Whoever takes packets leaves them here; the node's
 * thread handles them, so that nobody who holds a QP's lock is kept. Any thread.
 */
final class ManagementPort {

    static final int QPN = 1;

    private static final Logger LOG = LoggerFactory.getLogger(ManagementPort.class);
    private static final SecureRandom RANDOM = new SecureRandom();
    /** Locally administered; the rest is chance. */
    private static final long PREFIX = 0x026a76;
    private static final int PREFIX_AT = 40;
    private static final long CA_GUID = PREFIX << PREFIX_AT | RANDOM.nextLong() >>> 24;
    private static final int MAD_AT = Bth.BYTES + Deth.BYTES;
    private static final int LENGTH = MAD_AT + Mad.BYTES;
    /** Packets that wait to be handled, at most. */
    private static final int MOST_WAITING = 512;

    private final RoceNode node;
    private final byte[] own;
    private final Queue<Arrived> inbox = new ConcurrentLinkedQueue<>();
    private final AtomicInteger waiting = new AtomicInteger();
    private final Queue<CmConnection> heard = new ConcurrentLinkedQueue<>();
    private final ByteBuffer out = ByteBuffer.allocateDirect(LENGTH + Icrc.BYTES);
    /** Guarded by this; so is {@link #out}. */
    private final ConnectionManager manager;
    private int psn;

    /** Whose events those of a connection are. */
    interface Owner {

        /** Handles an event. The node's thread, without a lock. */
        void event(CmEvent event);
    }

    /** A packet with its ICRC. */
    private record Arrived(ByteBuffer packet, InetSocketAddress from) {
    }

    ManagementPort(RoceNode node) {
        this.node = node;
        this.own = node.address().getAddress().getAddress();
        this.manager = new ConnectionManager(this::send, CmSettings.defaults(), RANDOM::nextInt, CA_GUID);
    }

    // ---- packets

    /** Returns true for the GUID of such a node, which acknowledges messages unasked. */
    static boolean isKin(long caGuid) {
        return caGuid >>> PREFIX_AT == PREFIX;
    }

    /** Takes a packet for QP 1, to be handled soon. @return false when it is dropped */
    boolean offer(Packet packet, ByteBuffer bytes, InetSocketAddress from) {
        if (packet.opcode() != Opcode.UD_SEND_ONLY || packet.length() != Mad.BYTES
                || Deth.qkey(bytes, Bth.BYTES) != Mad.QKEY) {
            return false;
        }
        if (waiting.incrementAndGet() > MOST_WAITING) {
            waiting.decrementAndGet();
            return false;
        }
        ByteBuffer copy = ByteBuffer.allocate(LENGTH + Icrc.BYTES);
        copy.put(0, bytes, 0, LENGTH + Icrc.BYTES);
        inbox.add(new Arrived(copy, from));
        return true;
    }

    /** A packet of a connection came that its peer alone can have sent. */
    void heard(CmConnection connection) {
        heard.add(connection);
        node.thread().wake();
    }

    /**
     * Handles what came and what is due, then has owners told. The node's thread.
     *
     * @return when something is due next, or {@link ProgressThread#NEVER}
     */
    long progress(long nowNs) {
        int left = MOST_WAITING;
        for (Arrived next = inbox.poll(); next != null && left > 0; next = --left > 0 ? inbox.poll() : null) {
            waiting.decrementAndGet();
            receive(next, nowNs);
        }
        synchronized (this) {
            for (CmConnection c = heard.poll(); c != null; c = heard.poll()) {
                manager.heard(c, nowNs);
            }
            if (manager.deadlineNs() - nowNs <= 0) {
                manager.tick(nowNs);
            }
        }
        for (CmEvent event = nextEvent(); event != null; event = nextEvent()) {
            tell(event);
        }
        return deadlineNs();
    }

    private synchronized long deadlineNs() {
        return manager.deadlineNs();
    }

    private synchronized CmEvent nextEvent() {
        return manager.poll();
    }

    /** One owner that fails does not keep the others from being told. */
    private static void tell(CmEvent event) {
        try {
            ((Owner) event.connection().attachment()).event(event);
        } catch (RuntimeException | Error e) {
            LOG.error("{} of {} failed", event.kind(), event.connection(), e);
        }
    }

    private void receive(Arrived arrived, long nowNs) {
        InetSocketAddress from = arrived.from();
        ByteBuffer packet = arrived.packet();
        byte[] there = from.getAddress().getAddress();
        if (there.length != own.length || !isWhole(packet, there, from.getPort())) {
            node.dropped();
            return;
        }
        CmPeer peer = new CmPeer(Gid.of(there), node.isSymmetric() ? node.address().getPort() : from.getPort());
        synchronized (this) {
            manager.receive(packet.slice(MAD_AT, Mad.BYTES), peer, nowNs);
        }
    }

    private boolean isWhole(ByteBuffer packet, byte[] there, int port) {
        int computed = new Icrc(there, own).compute(packet, 0, LENGTH, port, node.address().getPort(),
                Icrc.DONT_FRAGMENT);
        int received = Icrc.read(packet, LENGTH);
        return computed == received || own.length == 4 && Icrc.identification(computed, received, LENGTH) >= 0;
    }

    private void send(ByteBuffer mad, CmPeer to) {
        byte[] there = to.gid().address();
        Bth.write(out, 0, Opcode.UD_SEND_ONLY, 0, false, false, QPN, psn++);
        Deth.write(out, Bth.BYTES, Mad.QKEY, QPN);
        out.put(MAD_AT, mad, 0, Mad.BYTES);
        Icrc.write(out, LENGTH, new Icrc(own, there).compute(
                out, 0, LENGTH, node.address().getPort(), to.port(), Icrc.DONT_FRAGMENT));
        node.send(out.clear(), node.near(addressOf(to)));
    }

    /** Returns where a peer's packets go to. */
    static InetSocketAddress addressOf(CmPeer peer) {
        try {
            return new InetSocketAddress(InetAddress.getByAddress(peer.gid().address()), peer.port());
        } catch (UnknownHostException e) {
            throw new IllegalStateException("gid=" + peer.gid(), e);
        }
    }

    // ---- the manager, under its lock

    /** What has a time limit begins. */
    private void begin() {
        node.thread().stir(); // it looks when the limit is once the lock is free
    }

    synchronized boolean listen(long serviceId, Owner listener) {
        return manager.listen(serviceId, listener);
    }

    synchronized void unlisten(long serviceId) {
        manager.unlisten(serviceId);
    }

    synchronized CmConnection connect(ConnectRequest request, CmPeer to, Owner owner) {
        begin();
        return manager.connect(request, to, owner, node.nowNs());
    }

    synchronized boolean ready(CmConnection connection) {
        begin();
        return manager.ready(connection, node.nowNs());
    }

    synchronized boolean accept(CmConnection connection, ConnectReply reply) {
        begin();
        return manager.accept(connection, reply, node.nowNs());
    }

    synchronized boolean reject(CmConnection connection, int reason, byte[] data) {
        begin();
        return manager.reject(connection, reason, data, node.nowNs());
    }

    synchronized void disconnect(CmConnection connection) {
        begin();
        manager.disconnect(connection, node.nowNs());
    }

    /** Nothing comes or goes any more: peers who can be told are. */
    synchronized void farewell() {
        manager.farewell(node.nowNs());
    }

    /** Returns true when no disconnect waits for its answer. */
    synchronized boolean isQuiet() {
        return manager.disconnecting() == 0;
    }

    /** Returns how many messages were of no use: of strangers, for nobody, or too many. */
    synchronized long dropped() {
        return manager.counters().total();
    }
}
