package org.jvrpc.softrnic.roce;

import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.function.Supplier;
import org.jvrpc.roce.rc.PacketSink;
import org.jvrpc.roce.rc.RcAttributes;
import org.jvrpc.roce.rc.RcCounters;
import org.jvrpc.roce.rc.RcTransport;
import org.jvrpc.roce.rc.ReceiveQueue;
import org.jvrpc.roce.rc.Urgency;
import org.jvrpc.roce.wire.Icrc;
import org.jvrpc.roce.wire.Packet;
import org.jvrpc.softrnic.chain.ChainEngine;
import org.jvrpc.softrnic.queue.CqWriter;
import org.jvrpc.softrnic.queue.PortCompletionQueue;
import org.jvrpc.softrnic.queue.PortQueuePair;
import org.jvrpc.softrnic.queue.QpContext;
import org.jvrpc.softrnic.queue.SendEngine;
import org.jvrpc.softrnic.queue.Waiting;
import org.jvrpc.softrnic.roce.ring.ChainSends;
import org.jvrpc.softrnic.roce.ring.KeyedMemory;
import org.jvrpc.softrnic.roce.ring.QpTally;
import org.jvrpc.softrnic.roce.ring.RingSends;
import org.jvrpc.softrnic.roce.socket.WayOut;
import org.jvrpc.verbs.QueuePairState;
import org.jvrpc.verbs.VerbsException;

/** Sends what a ring holds in packets, and takes those of its one peer. Its monitor is the QP's lock. */
final class RoceEngine implements SendEngine, PacketSink, QpTally.Source {

    private static final int IPV4_BYTES = 4;
    /** Packets in one go: then others have their turn. */
    private static final int BUDGET = 64;
    /** A peer of chains that was silent so long is asked whether it is there: nobody else would ever know. */
    private static final long SILENCE_NS = 5_000_000_000L;

    private final PortQueuePair qp;
    private final RingSends sends;
    /** Of a cross-channel QP, whose sends it executes; else null. */
    private final ChainEngine chain;
    /** Its group is to be run again, which somebody else had. Under the lock. */
    private volatile boolean owesRun;
    /** When the peer of chains was heard of last, or asked. Under the lock. */
    private long heardNs;
    private final ByteBuffer packet;
    private int budget;
    /** It stopped because it had sent so many. */
    private volatile boolean unfinished;
    private final Waiting waiting = new Waiting();
    /** An acknowledgement waits. */
    private volatile boolean owing;
    /** It waits for a poll that finds nothing, no longer. Under the lock. */
    private boolean asked;
    /** The QP's memory may be somebody else's. */
    private boolean ended;
    /** When it is to go on though nothing happens. Written under the lock. */
    private volatile long deadlineNs = RcTransport.NEVER;
    private volatile RoceNode node;
    private RcTransport transport;
    private final QpTally tally;
    /** The transport's, also when it has ended. */
    private RcCounters counters;
    /** What packets leave by; null before the peer is heard of. */
    private WayOut out;
    private boolean loopsInside;
    private int trafficClass;
    private RoceEndpoint peer;
    /** Makes the transport: at once, or when the peer is heard of. */
    private Supplier<RcTransport> begin;
    /** Told once that the peer was heard of; then null. */
    private Runnable heard;
    private boolean ipv4;
    private Icrc outbound;
    private Icrc inbound;

    /** @param chain of a cross-channel QP; else null */
    RoceEngine(PortQueuePair qp, ChainEngine chain, QpTally tally) {
        this.qp = qp;
        this.tally = tally;
        this.chain = chain;
        this.trafficClass = qp.attributes().serviceClass().trafficClass();
        PortCompletionQueue cq = qp.sendCq();
        this.sends = chain != null ? new ChainSends(qp, this::handedOver, this::run)
                : new RingSends(qp, qp.sends(), new CqWriter(cq.slab(), cq.address(), qp.number(), cq::wake, false));
        this.packet = ByteBuffer.allocateDirect(RoceNode.MOST_PACKET);
    }

    /** Keeps packets to QPs of the same node in the process. Before it is connected. */
    void loopInside() {
        loopsInside = true;
    }

    /** Has packets ask for another class than the QP was made with. Before it is connected. */
    void trafficClass(int wanted) {
        trafficClass = wanted;
    }

    /**
     * Connects; the QP goes to RTS next.
     *
     * @param whenHeard told once when a packet of the peer came
     */
    synchronized void connect(RoceNode over, RoceEndpoint to, RcAttributes attributes, ReceiveQueue receives,
            KeyedMemory memory, int psn, Runnable whenHeard) {
        if (qp.state() != QueuePairState.INIT || peer != null) {
            throw new VerbsException("modify_qp", "qp number=" + qp.number() + " state=" + qp.state());
        }
        byte[] here = over.address().getAddress().getAddress();
        byte[] there = to.address().getAddress().getAddress();
        if (here.length != there.length) {
            throw new VerbsException("modify_qp", "peer is of another family, address=" + to.address() + " own="
                    + over.address());
        }
        node = over;
        ipv4 = here.length == IPV4_BYTES;
        outbound = new Icrc(here, there);
        inbound = new Icrc(there, here);
        if (chain != null) {
            chain.connect((ChainSends) sends);
        }
        peer = new RoceEndpoint(over.near(to.address()), to.qpn(), to.psn(), to.mtu());
        heard = whenHeard;
        begin = () -> new RcTransport(sends, receives, memory, this, attributes,
                Math.max(1, qp.attributes().maxSendWr()), to.qpn(), psn, to.psn());
    }

    /** The peer is ready, or will have what is lost sent again. */
    synchronized void begin() {
        if (!ended && transport == null && qp.state() == QueuePairState.RTS) {
            out = node.wayOut(peer.address(), loopsInside, trafficClass); // an unproven peer has no socket here
            transport = makeTransport();
            counters = transport.counters();
            tally.begin(this);
            heardNs = node.nowNs();
            go(Urgency.FIRST);
        }
    }

    private RcTransport makeTransport() {
        try {
            return begin.get();
        } catch (RuntimeException | Error e) { // no memory, perhaps; the next packet tries again
            out.close();
            out = null;
            throw e;
        }
    }

    @Override
    public void ring(int producer) {
        if (chain != null) {
            chain.ring(producer);
            return;
        }
        synchronized (this) {
            if (!ended) {
                sends.produced(producer);
                go(Urgency.FIRST); // an acknowledgement may wait: whoever has a packet handles it first
            }
        }
    }

    /** A chain sends something. With the claim of its group, which may be run by anybody. */
    private void handedOver() {
        unfinished = true;
        if (!Thread.holdsLock(this)) { // else it goes on behind that
            node.thread().goOn();
        }
    }

    /** Runs the group of a cross-channel QP. */
    private void run() {
        owesRun = !chain.run();
    }

    @Override
    public boolean prefetches() {
        return chain != null && chain.prefetches();
    }

    /** Takes packets, and sends what follows; mostly there is nothing to do. */
    @Override
    public void progress() {
        if (chain == null) {
            takePackets();
            return;
        }
        synchronized (this) {
            takePackets();
        }
        if (chain.isStalled()) {
            chain.progress();
        }
    }

    private void takePackets() {
        if (node == null || ended) {
            return;
        }
        long nowNs = node.nowNs();
        PacketIntake intake = node.intake();
        boolean came = !intake.isPolledFor(this, nowNs) && intake.pollByCaller(this, nowNs); // it went on with them
        if (!came && (unfinished || asked || qp.state() == QueuePairState.ERR || deadlineNs <= nowNs)) {
            goOn(Urgency.ASKED, nowNs);
        }
    }

    /** Sends what may be sent. */
    synchronized void go(Urgency urgency) {
        if (node != null) {
            goOn(urgency, node.nowNs());
        } else if (!ended && qp.state() == QueuePairState.ERR) {
            flush();
        }
    }

    /** As {@link #go}, under the lock, which is not taken twice: that would cost more than what is done. */
    private void goOn(Urgency urgency, long nowNs) {
        if (ended) {
            return;
        }
        QueuePairState state = qp.state();
        if (state == QueuePairState.ERR) {
            flush();
        }
        if (transport != null && (state == QueuePairState.RTS || state == QueuePairState.ERR)) {
            unfinished = false;
            if (chain != null) {
                goOnWithChain(state, nowNs);
            }
            budget = BUDGET;
            sends.begin();
            transport.progress(nowNs, urgency); // in ERR it says why, and no more
            if (budget == 0) {
                unfinished = true; // also where a chain sent something meanwhile
            }
            owing = transport.isAcknowledgementHeld();
            asked = transport.isAcknowledgementAsked();
            note();
            if (unfinished) {
                node.thread().goOn();
            } else if (owing || deadlineNs != RcTransport.NEVER || isChainHeld()) {
                node.thread().stir();
            }
        }
    }

    private void goOnWithChain(QueuePairState state, long nowNs) {
        if (state == QueuePairState.RTS && nowNs - heardNs >= SILENCE_NS && chain.chains().claim()) {
            try {
                ((ChainSends) sends).probe();
                heardNs = nowNs;
            } finally {
                chain.chains().release();
            }
        }
        if (isChainHeld()) {
            run();
        }
    }

    /** A run of the chains stopped before all of them waited; the thread has them go on as it looks, not at once. */
    private boolean isChainHeld() {
        return chain != null && (owesRun || chain.isStalled());
    }

    private void note() {
        long dueNs = transport == null ? RcTransport.NEVER : transport.deadlineNs();
        if (transport != null && chain != null && qp.state() == QueuePairState.RTS) {
            dueNs = Math.min(dueNs, heardNs + SILENCE_NS);
        }
        if (dueNs != deadlineNs) {
            deadlineNs = dueNs;
        }
    }

    /** Completes with flush errors what is not completed. */
    synchronized void flush() {
        if (ended) {
            return;
        }
        if (transport != null) {
            transport.fail();
            note();
        }
        sends.flush();
    }

    /** Flushes, and does nothing from now on: whoever found this engine before may come late. */
    synchronized void end() {
        flush();
        if (!ended && out != null) {
            out.close();
        }
        ended = true;
        if (transport != null) {
            tally.end(this, counters);
        }
        transport = null;
        note();
        begin = null;
        heard = null;
    }

    @Override
    public synchronized void addTo(RcCounters sum) {
        sum.add(counters);
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

    /** As {@link #go(Urgency)}. @param holder the engine whose lock the caller has, or null */
    void go(Urgency urgency, long nowNs, SendEngine holder) {
        if (holder == this) {
            goOn(urgency, nowNs);
            return;
        }
        waiting.enter();
        synchronized (this) {
            waiting.leave();
            go(urgency); // by the time at which the lock was free
        }
    }

    /**
     * A packet for this QP came from somewhere; its ICRC lies behind it. Returns true when it was taken.
     *
     * @param holder the engine whose lock the caller has, or null
     */
    boolean receive(Packet arrived, ByteBuffer bytes, int length, InetSocketAddress from, long nowNs,
            SendEngine holder) {
        if (holder == this) {
            return receive(arrived, bytes, length, from, nowNs);
        }
        waiting.enter();
        synchronized (this) {
            waiting.leave();
            return receive(arrived, bytes, length, from, node.nowNs());
        }
    }

    private boolean receive(Packet arrived, ByteBuffer bytes, int length, InetSocketAddress from, long nowNs) {
        if (ended || peer == null || !from.getAddress().equals(peer.address().getAddress()) // ports tell flows apart
                || !QpContext.isReady(qp.sends().memory(), qp.context())) {
            node.dropped();
            return false;
        }
        int computed = inbound.compute(bytes, 0, length, from.getPort(), node.address().getPort(), Icrc.DONT_FRAGMENT);
        int received = Icrc.read(bytes, length);
        if (computed != received && (!ipv4 || Icrc.identification(computed, received, length) < 0)) {
            node.dropped();
            return false;
        }
        if (transport == null) {
            if (arrived.psn() != peer.psn()) { // the peer's first, which nobody else knows
                node.dropped();
                return false;
            }
            begin();
            if (transport == null) {
                return false; // it is being connected, or failed
            }
        }
        if (heard != null) {
            heard.run();
            heard = null;
        }
        sends.begin();
        heardNs = nowNs;
        transport.receive(arrived, nowNs);
        return true;
    }

    /** Something that must not happen did: the QP ends. */
    void fail() {
        qp.error();
    }

    /** Returns true when it has more to send than it did. */
    boolean isUnfinished() {
        return unfinished || owing || isChainHeld();
    }

    long deadlineNs() {
        return deadlineNs;
    }

    @Override
    public boolean isStalled() {
        return node != null || chain != null && chain.isStalled();
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
        if (node.trial().loses()) {
            return;
        }
        int icrc = outbound.compute(packet, 0, length, out.port(), peer.address().getPort(), Icrc.DONT_FRAGMENT);
        Icrc.write(packet, length, icrc);
        packet.position(0).limit(length + Icrc.BYTES);
        out.send(packet);
        packet.clear();
    }
}
