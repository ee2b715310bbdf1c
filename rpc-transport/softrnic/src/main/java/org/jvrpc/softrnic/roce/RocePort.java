package org.jvrpc.softrnic.roce;

import java.security.SecureRandom;
import java.util.Set;
import org.jvrpc.roce.rc.RcAttributes;
import org.jvrpc.roce.wire.Psn;
import org.jvrpc.softrnic.memory.AddressSpace;
import org.jvrpc.softrnic.memory.Arena;
import org.jvrpc.softrnic.memory.Quarantine;
import org.jvrpc.softrnic.queue.CqWriter;
import org.jvrpc.softrnic.queue.Port;
import org.jvrpc.softrnic.queue.PortCompletionQueue;
import org.jvrpc.softrnic.queue.PortQueuePair;
import org.jvrpc.softrnic.queue.QpContext;
import org.jvrpc.softrnic.queue.SendEngine;
import org.jvrpc.softrnic.rc.LocalReceives;
import org.jvrpc.softrnic.rc.Responder;
import org.jvrpc.verbs.QueuePairState;
import org.jvrpc.verbs.VerbsException;

/** The port of a QP that talks to its peer by packets. Any thread. */
public final class RocePort implements Port {

    private static final SecureRandom RANDOM = new SecureRandom();
    /** 4.096 us * 2^14, as perftest has it: a peer that is stopped for half a second is given up. */
    private static final long ACK_TIMEOUT_NS = 67_108_864;

    private static final int ACK_EVERY = 16;

    private final RoceNode node;
    private final PortQueuePair qp;
    private final AddressSpace arena;
    private final RoceEngine engine;
    private final int psn = RANDOM.nextInt() & Psn.MASK;

    /** @throws VerbsException for a datagram QP, and one for chains */
    public RocePort(RoceNode node, PortQueuePair qp, AddressSpace arena) {
        if (qp.attributes().isDatagram() || qp.attributes().isCrossChannel()) {
            throw new VerbsException("create_qp", "a roce device has RC QPs only, without chains");
        }
        this.node = node;
        this.qp = qp;
        this.arena = arena;
        PortCompletionQueue cq = qp.sendCq();
        this.engine = new RoceEngine(node, qp,
                new RingSends(qp, new CqWriter(cq.slab(), cq.address(), qp.number(), cq::wake, false)));
    }

    RoceEngine roce() {
        return engine;
    }

    @Override
    public SendEngine engine() {
        return engine;
    }

    @Override
    public byte[] endpoint() {
        return new RoceEndpoint(node.address(), qp.number(), psn, node.mtu()).encode();
    }

    @Override
    public void open() {
        node.add(qp.number(), this);
    }

    @Override
    public void connect(byte[] endpoint) {
        RoceEndpoint peer = RoceEndpoint.decode(endpoint);
        int mtu = Math.min(peer.mtu(), node.mtu());
        RcAttributes attributes = RcAttributes.defaults().withMtu(mtu)
                .withWindow(node.window(mtu), ACK_EVERY)
                .withRetries(7, qp.attributes().rnrRetry(), ACK_TIMEOUT_NS)
                .withMinRnrTimer(qp.attributes().minRnrTimerNs());
        Responder own = Responder.of(arena, qp.address(), qp.receiveCq()::wake, false);
        engine.connect(peer, attributes, new RingReceives(qp, new LocalReceives(own)),
                new KeyedMemory(qp.regions(), qp.pd()), psn);
        advance(QueuePairState.INIT, QueuePairState.RTR);
        advance(QueuePairState.RTR, QueuePairState.RTS);
        qp.stalled();
    }

    private void advance(QueuePairState from, QueuePairState to) {
        if (!QpContext.advance(qp.sends().memory(), qp.context(), from, to)) {
            throw new VerbsException("modify_qp", "qp number=" + qp.number() + " state=" + qp.state());
        }
    }

    @Override
    public void makeReady() {
        throw new VerbsException("modify_qp", "a roce device has no datagram QPs");
    }

    @Override
    public void flush() {
        engine.flush();
    }

    @Override
    public void recover() {
        // for datagrams
    }

    @Override
    public void disconnect() {
        node.remove(qp.number());
    }

    @Override
    public void close(Arena.Block memory, Set<Quarantine> known) {
        engine.flush(); // waits for the thread that is in it
        Quarantine.free(memory, known);
    }
}
