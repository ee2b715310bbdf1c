package org.jvrpc.softrnic.roce;

import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import org.jvrpc.roce.ud.Grh;
import org.jvrpc.roce.ud.UdRequester;
import org.jvrpc.roce.ud.UdResponder;
import org.jvrpc.roce.ud.UdResponder.Outcome;
import org.jvrpc.roce.wire.Icrc;
import org.jvrpc.roce.wire.Packet;
import org.jvrpc.softrnic.datagram.DatagramContext;
import org.jvrpc.softrnic.datagram.DatagramContext.Drop;
import org.jvrpc.softrnic.datagram.DatagramEngine;
import org.jvrpc.softrnic.queue.CqWriter;
import org.jvrpc.softrnic.queue.PortQueuePair;
import org.jvrpc.softrnic.queue.QpContext;
import org.jvrpc.softrnic.queue.SendEngine;
import org.jvrpc.softrnic.queue.Waiting;
import org.jvrpc.softrnic.roce.ring.UdReceives;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends the datagrams of a UD QP, on the thread that posts, and takes those of anybody, on whichever thread has them:
 * under its monitor, which is the QP's lock.
 */
final class UdEngine implements SendEngine {

    private static final Logger LOG = LoggerFactory.getLogger(UdEngine.class);
    private static final int IPV4_BYTES = 4;
    private static final int UDP_BYTES = 8;

    private final RoceNode node;
    private final PortQueuePair qp;
    private final DatagramEngine sends;
    private final PeerIcrcs icrcs;
    private final Waiting waiting = new Waiting();
    private final ByteBuffer grh = ByteBuffer.allocate(Grh.BYTES);
    /** Null while the QP takes nothing. */
    private UdResponder responder;
    private volatile boolean ready;

    /** @param psn of its first packet */
    UdEngine(RoceNode node, PortQueuePair qp, CqWriter completions, int psn) {
        this.node = node;
        this.qp = qp;
        this.icrcs = new PeerIcrcs(node.address().getAddress(), true);
        this.sends = new DatagramEngine(
                qp, new UdOutlet(node, qp.pd(), new UdRequester(qp.number(), psn)), completions);
    }

    /** Takes packets from now on. */
    synchronized void begin(UdReceives receives) {
        responder = new UdResponder(receives, qp.attributes().qkey(), node.mtu());
        ready = true;
    }

    /** Takes no more: the QP's memory may be somebody else's from now on. */
    synchronized void end() {
        responder = null;
        ready = false;
    }

    /** Waits until nobody is in it. */
    void await() {
        waiting.enter();
        synchronized (this) {
            waiting.leave(); // whoever comes next looks keys up anew
        }
    }

    @Override
    public boolean isWanted() {
        return waiting.isWanted();
    }

    /**
     * A packet for this QP came from somewhere; its ICRC lies behind it.
     *
     * @param holder the engine whose lock the caller has, or null
     */
    void receive(Packet arrived, ByteBuffer bytes, int length, InetSocketAddress from, SendEngine holder) {
        if (holder == this) {
            receive(arrived, bytes, length, from);
            return;
        }
        waiting.enter();
        synchronized (this) {
            waiting.leave();
            receive(arrived, bytes, length, from);
        }
    }

    private synchronized void receive(Packet arrived, ByteBuffer bytes, int length, InetSocketAddress from) {
        if (responder == null || !QpContext.isReady(qp.sends().memory(), qp.context())) {
            node.dropped();
            return;
        }
        try {
            take(arrived, bytes, length, from);
        } catch (RuntimeException | Error e) { // whoever takes packets does it for others, too
            LOG.error("QP number={} at {} fails", qp.number(), node.address(), e);
            qp.error();
        }
    }

    private void take(Packet arrived, ByteBuffer bytes, int length, InetSocketAddress from) {
        PeerIcrcs.Peer peer = icrcs.find(from.getAddress());
        if (peer == null) {
            node.dropped();
            return;
        }
        int computed = peer.icrc().compute(
                bytes, 0, length, from.getPort(), node.address().getPort(), Icrc.DONT_FRAGMENT);
        int received = Icrc.read(bytes, length);
        int identification = peer.bytes().length == IPV4_BYTES ? Icrc.identification(computed, received, length)
                : computed == received ? 0 : -1;
        if (identification < 0) {
            node.dropped();
            return;
        }
        Grh.write(grh, 0, peer.bytes(), icrcs.own(), UDP_BYTES + length + Icrc.BYTES, identification);
        count(responder.receive(arrived, grh));
    }

    private void count(Outcome outcome) {
        Drop why = switch (outcome) {
            case DELIVERED, NO_ACCESS -> null;
            case QKEY -> Drop.QKEY;
            case NO_RECEIVE -> Drop.NO_RECEIVE;
            case TOO_LONG -> Drop.TOO_LONG;
            case NO_CQE -> Drop.NO_CQE;
            case OPCODE, MTU -> {
                node.dropped();
                yield null;
            }
        };
        if (why != null) {
            DatagramContext.drop(qp.sends().memory(), qp.context(), why);
        }
    }

    @Override
    public void ring(int producer) {
        sends.ring(producer);
    }

    @Override
    public void progress() {
        long nowNs = node.nowNs();
        if (!node.intake().isPolledFor(this, nowNs)) {
            node.intake().pollByCaller(this, nowNs);
        }
    }

    /** Returns true for a QP that takes packets: polls look for them. */
    @Override
    public boolean isStalled() {
        return ready;
    }

    @Override
    public void wakePeer() {
        // it is woken by its packets
    }
}
