package org.jvrpc.softrnic.roce;

import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jvrpc.roce.wire.Psn;
import org.jvrpc.softrnic.datagram.DatagramContext;
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
import org.jvrpc.softrnic.roce.ring.UdReceives;
import org.jvrpc.verbs.QueuePairState;
import org.jvrpc.verbs.VerbsException;

/** The port of a UD QP whose datagrams are packets. Any thread. */
public final class UdPort implements Port {

    private static final SecureRandom RANDOM = new SecureRandom();

    private final RoceNode node;
    private final PortQueuePair qp;
    private final AddressSpace arena;
    private final UdEngine engine;
    private final int psn = RANDOM.nextInt() & Psn.MASK;
    /** Whoever takes packets may be about to write to memory whose key has just gone. */
    private final List<Quarantine.Visit> visits = new ArrayList<>();

    public UdPort(RoceNode node, PortQueuePair qp, AddressSpace arena) {
        this.node = node;
        this.qp = qp;
        this.arena = arena;
        DatagramContext.write(qp.sends().memory(), qp.context(), qp.attributes().qkey());
        PortCompletionQueue cq = qp.sendCq();
        this.engine = new UdEngine(
                node, qp, new CqWriter(cq.slab(), cq.address(), qp.number(), cq::wake, false), psn);
    }

    UdEngine datagrams() {
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
        qp.quarantines().forEach(domain -> visits.add(domain.begin()));
    }

    @Override
    public void connect(byte[] endpoint) {
        throw new VerbsException("modify_qp", "a datagram QP has no peer");
    }

    @Override
    public void makeReady() {
        Responder own = new Responder(arena, qp.address(), qp.receiveCq()::wake, false);
        advance(QueuePairState.INIT, QueuePairState.RTR);
        engine.begin(new UdReceives(qp, new LocalReceives(own)));
        node.intake().add(qp.number(), this);
        advance(QueuePairState.RTR, QueuePairState.RTS);
        qp.sendCq().beforeSleep(node.thread().sleeper());
        qp.receiveCq().beforeSleep(node.thread().sleeper());
        qp.sendCq().alert(); // polls that find nothing take packets, from now on
        qp.receiveCq().alert();
    }

    private void advance(QueuePairState from, QueuePairState to) {
        if (!QpContext.advance(qp.sends().memory(), qp.context(), from, to)) {
            throw new VerbsException("modify_qp", "qp number=" + qp.number() + " state=" + qp.state());
        }
    }

    @Override
    public void flush() {
        // Nothing is under way.
    }

    @Override
    public void recover() {
        // Nobody else delivers here.
    }

    @Override
    public void disconnect() {
        visits.forEach(Quarantine.Visit::beginLeaving); // before nobody finds it any more
        node.intake().removeDatagrams(qp.number());
    }

    @Override
    public void close(Arena.Block memory, Set<Quarantine> known) {
        engine.end(); // waits for the thread that is in it
        visits.forEach(visit -> visit.end(true));
        Quarantine.free(memory, known);
    }
}
