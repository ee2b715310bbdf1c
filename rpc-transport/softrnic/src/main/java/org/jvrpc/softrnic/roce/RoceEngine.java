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

/** Sends what a ring holds in packets, and takes those of its one peer. Its monitor is the QP's lock. */
final class RoceEngine implements SendEngine, PacketSink {

    private final RoceNode node;
    private final PortQueuePair qp;
    private final RingSends sends;
    private final ByteBuffer packet;
    private RcTransport transport;
    private RoceEndpoint peer;
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
        byte[] here = node.address().getAddress().getAddress();
        byte[] there = to.address().getAddress().getAddress();
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
            transport.progress(node.nowNs()); // in ERR it says why, and no more
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
        if (transport == null || !from.equals(peer.address())
                || !QpContext.isReady(qp.sends().memory(), qp.context())) {
            node.dropped();
            return;
        }
        int computed = inbound.compute(bytes, 0, length, from.getPort(), node.address().getPort(), Icrc.DONT_FRAGMENT);
        int received = Icrc.read(bytes, length);
        if (computed != received && Icrc.identification(computed, received, length) < 0) {
            node.dropped();
            return;
        }
        transport.receive(arrived, node.nowNs());
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
        return true;
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
        int icrc = outbound.compute(packet, 0, length, node.address().getPort(), peer.address().getPort(),
                Icrc.DONT_FRAGMENT);
        Icrc.write(packet, length, icrc);
        packet.position(0).limit(length + Icrc.BYTES);
        node.send(packet, peer.address());
        packet.clear();
    }
}
