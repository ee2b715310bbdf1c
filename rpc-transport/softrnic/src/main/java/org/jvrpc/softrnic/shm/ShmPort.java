package org.jvrpc.softrnic.shm;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import org.jvrpc.softrnic.chain.ChainEngine;
import org.jvrpc.softrnic.chain.ChainGroup;
import org.jvrpc.softrnic.datagram.DatagramContext;
import org.jvrpc.softrnic.datagram.DatagramEngine;
import org.jvrpc.softrnic.datagram.DatagramTarget;
import org.jvrpc.softrnic.memory.Arena;
import org.jvrpc.softrnic.memory.Quarantine;
import org.jvrpc.softrnic.queue.CqWriter;
import org.jvrpc.softrnic.queue.Port;
import org.jvrpc.softrnic.queue.PortCompletionQueue;
import org.jvrpc.softrnic.queue.PortQueuePair;
import org.jvrpc.softrnic.queue.QpContext;
import org.jvrpc.softrnic.queue.SendEngine;
import org.jvrpc.softrnic.rc.Engine;
import org.jvrpc.verbs.QueuePairAttributes;
import org.jvrpc.verbs.QueuePairState;
import org.jvrpc.verbs.VerbsException;

/**
 * The port between processes of one host: the initiator's thread executes what is sent, in the peer's memory, so that
 * nothing is ever under way. Any thread.
 */
public final class ShmPort implements Port {

    private final ShmNode node;
    private final PortQueuePair qp;
    private final ByteBuffer memory;
    private final int context;
    private final SendEngine engine;
    /** The engine of an RC QP whose sends this process executes; else null. */
    private final Engine rc;
    /** The engine of a cross-channel QP; else null. */
    private final ChainEngine chain;
    /** The peer as initiator: others write to the QP's memory, too. */
    private final Visitor visitor;
    private PeerAccess peer;
    private volatile Runnable notifyPeer = () -> { };
    /** A datagram QP as its senders see it, once it takes messages. */
    private volatile DatagramTarget self;

    /** @param group of the QP's domain, for a cross-channel QP; else null */
    public ShmPort(ShmNode node, PortQueuePair qp, ChainGroup group) {
        this.node = node;
        this.qp = qp;
        this.memory = qp.sends().memory();
        this.context = qp.context();
        this.visitor = new Visitor(memory, context);
        if (group != null) {
            QpContext.join(memory, context, group.address());
            this.chain = new ChainEngine(node.arena(), group, qp);
            this.rc = null;
            this.engine = chain;
            return;
        }
        this.chain = null;
        QueuePairAttributes attributes = qp.attributes();
        PortCompletionQueue cq = qp.sendCq();
        CqWriter completions = new CqWriter(cq.slab(), cq.address(), qp.number(), cq::wake, false);
        if (attributes.isDatagram()) {
            DatagramContext.write(memory, context, attributes.qkey());
            this.rc = null;
            this.engine = new DatagramEngine(qp, node.routes(), completions);
        } else {
            this.rc = new Engine(qp, completions, node.clock());
            this.engine = rc;
        }
    }

    PortQueuePair qp() {
        return qp;
    }

    Visitor visitor() {
        return visitor;
    }

    @Override
    public SendEngine engine() {
        return engine;
    }

    @Override
    public byte[] endpoint() {
        return new ShmEndpoint(qp.address(), node.name()).encode();
    }

    @Override
    public void open() {
        if (chain != null) {
            chain.join();
        }
        visitor.expect(qp.quarantines());
        node.add(this);
    }

    @Override
    public void connect(byte[] endpoint) {
        if (isDatagram()) {
            throw new VerbsException("modify_qp", "a datagram QP has no peer");
        }
        ShmEndpoint other = ShmEndpoint.decode("modify_qp", endpoint);
        peer = PeerAccess.open(node, other, id(), () -> notifyPeer.run(), qp.attributes().lazyWake(), this::begin);
        Runnable waker = node.wakerOf(other.device());
        if (waker != null) {
            notifyPeer = waker;
        }
        advance(QueuePairState.RTR, QueuePairState.RTS);
    }

    private void begin(PeerAccess claimed) {
        if (chain != null) {
            chain.check(claimed.responder());
            claimed.tell(chain);
        } else {
            rc.connect(claimed.responder());
            claimed.findChains(node);
            if (claimed.isChained()) {
                qp.receiveCq().lookFromNowOn();
            }
        }
        advance(QueuePairState.INIT, QueuePairState.RTR);
    }

    private void advance(QueuePairState from, QueuePairState to) {
        if (!QpContext.advance(memory, context, from, to)) {
            throw new VerbsException("modify_qp", "qp number=" + qp.number() + " state=" + qp.state());
        }
    }

    /** Returns who the QP is among all of the host: never 0. */
    private long id() {
        long hash = 0;
        for (byte b : node.name().getBytes(StandardCharsets.US_ASCII)) {
            hash = 31 * hash + b;
        }
        return hash << 24 | qp.number();
    }

    private boolean isDatagram() {
        return qp.attributes().isDatagram();
    }

    @Override
    public void makeReady() {
        node.datagrams().add(qp.number(), qp.address());
        self = new DatagramTarget(node.arena(), qp.address(), qp.receiveCq()::wake);
        advance(QueuePairState.INIT, QueuePairState.RTR);
        advance(QueuePairState.RTR, QueuePairState.RTS);
    }

    /** Has the peer woken through a connection. */
    void notifyBy(Runnable notifier) {
        notifyPeer = notifier;
    }

    /** Returns true when others than the peer's process may execute what is sent to this QP. */
    boolean isFedByChains() {
        return peer != null && peer.isChained();
    }

    /** Returns true when no thread writes to the peer's memory for this QP, which is closed. */
    boolean isQuiet() {
        return !node.isClosing() && (chain == null || !chain.wasTakenOver());
    }

    @Override
    public void flush() {
        // Nothing is under way: what the engine has not completed lies in the ring.
    }

    @Override
    public void recover() {
        DatagramTarget target = self;
        if (target != null) {
            target.lookForDead();
        }
    }

    @Override
    public void disconnect() {
        visitor.beginLeaving();
        if (chain != null) {
            chain.close();
        }
        if (self != null) {
            node.datagrams().remove(qp.number());
            self.settle();
        }
    }

    @Override
    public void close(Arena.Block block, Set<Quarantine> known) {
        node.remove(this);
        if (peer != null) {
            peer.leave(isQuiet());
        }
        visitor.release(block, known, isQuiet() && !isDatagram()); // of datagrams anybody may have been a sender
    }
}
