package org.jvrpc.softrnic.roce;

import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import org.jvrpc.roce.rc.PacketSink;
import org.jvrpc.roce.rc.RcAttributes;
import org.jvrpc.roce.rc.RcTransport;
import org.jvrpc.roce.wire.Icrc;
import org.jvrpc.roce.wire.Packet;
import org.jvrpc.softrnic.queue.PortQueuePair;
import org.jvrpc.softrnic.queue.QpContext;
import org.jvrpc.softrnic.queue.SendEngine;
import org.jvrpc.verbs.QueuePairState;
import org.jvrpc.verbs.VerbsException;

/** Sends what a ring holds in packets, and takes those of its one peer. Its monitor is the QP's lock. */
final class RoceEngine implements SendEngine, PacketSink {

    private static final int IPV4_BYTES = 4;
    /** Packets in one go: then others have their turn. */
    private static final int BUDGET = 64;

    private final RoceNode node;
    private final PortQueuePair qp;
    private final RingSends sends;
    private final ByteBuffer packet;
    private int budget;
    /** It stopped because it had sent so many. */
    private volatile boolean unfinished;
    private RcTransport transport;
    private RoceEndpoint peer;
    private boolean ipv4;
    private Icrc outbound;
    private Icrc inbound;

    RoceEngine(RoceNode node, PortQueuePair qp, RingSends sends) {
        this.node = node;
        this.qp = qp;
        this.sends = sends;
        this.packet = ByteBuffer.allocateDirect(RoceNode.MOST_PACKET);
    }

    /** Begins; the QP goes to RTS next. */
    synchronized void connect(RoceEndpoint to, RcAttributes attributes, RingReceives receives, KeyedMemory memory,
            int psn) {
        if (qp.state() != QueuePairState.INIT || transport != null) {
            throw new VerbsException("modify_qp", "qp number=" + qp.number() + " state=" + qp.state());
        }
        byte[] here = node.address().getAddress().getAddress();
        byte[] there = to.address().getAddress().getAddress();
        if (here.length != there.length) {
            throw new VerbsException("modify_qp", "peer is of another family, address=" + to.address() + " own="
                    + node.address());
        }
        ipv4 = here.length == IPV4_BYTES;
        outbound = new Icrc(here, there);
        inbound = new Icrc(there, here);
        peer = to;
        transport = new RcTransport(sends, receives, memory, this, attributes,
                Math.max(1, qp.attributes().maxSendWr()), to.qpn(), psn, to.psn());
    }

    @Override
    public synchronized void ring(int producer) {
        sends.produced(producer);
        go();
    }

    @Override
    public synchronized void progress() {
        node.poll();
        go();
    }

    /** Sends what may be sent. */
    synchronized void go() {
        QueuePairState state = qp.state();
        if (state == QueuePairState.ERR) {
            flush();
        }
        if (transport != null && (state == QueuePairState.RTS || state == QueuePairState.ERR)) {
            budget = BUDGET;
            transport.progress(node.nowNs()); // in ERR it says why, and no more
            unfinished = budget == 0;
            if (unfinished) {
                node.goOn();
            }
        }
    }

    /** Completes with flush errors what is not completed. */
    synchronized void flush() {
        if (transport != null) {
            transport.fail();
        }
        sends.flush();
    }

    /** A packet for this QP came from somewhere; its ICRC lies behind it. */
    synchronized void receive(Packet arrived, ByteBuffer bytes, int length, InetSocketAddress from) {
        if (transport == null || !from.getAddress().equals(peer.address().getAddress()) // ports tell flows apart
                || !QpContext.isReady(qp.sends().memory(), qp.context())) {
            node.dropped();
            return;
        }
        int computed = inbound.compute(bytes, 0, length, from.getPort(), node.address().getPort(), Icrc.DONT_FRAGMENT);
        int received = Icrc.read(bytes, length);
        if (computed != received && (!ipv4 || Icrc.identification(computed, received, length) < 0)) {
            node.dropped();
            return;
        }
        transport.receive(arrived, node.nowNs());
    }

    /** Something that must not happen did: the QP ends. */
    void fail() {
        qp.error();
    }

    /** Returns true when it has more to send than it may at once. */
    boolean isUnfinished() {
        return unfinished;
    }

    synchronized long deadlineNs() {
        return transport == null ? RcTransport.NEVER : transport.deadlineNs();
    }

    @Override
    public boolean isStalled() {
        return transport != null;
    }

    @Override
    public void wakePeer() {
        // it is woken by its packets
    }

    // ---- packets

    @Override
    public boolean isReady() {
        return budget > 0;
    }

    @Override
    public ByteBuffer buffer() {
        return packet;
    }

    @Override
    public int offset() {
        return 0;
    }

    @Override
    public void send(int length) {
        budget--;
        int icrc = outbound.compute(packet, 0, length, node.address().getPort(), peer.address().getPort(),
                Icrc.DONT_FRAGMENT);
        Icrc.write(packet, length, icrc);
        packet.position(0).limit(length + Icrc.BYTES);
        node.send(packet, peer.address());
        packet.clear();
    }
}
