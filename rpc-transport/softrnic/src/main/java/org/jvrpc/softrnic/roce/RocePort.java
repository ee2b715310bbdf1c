package org.jvrpc.softrnic.roce;

import java.net.InetSocketAddress;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import org.jvrpc.mlx5.Mlx5QueuePair;
import org.jvrpc.roce.cm.message.ConnectReply;
import org.jvrpc.roce.cm.message.ConnectRequest;
import org.jvrpc.roce.cm.message.Gid;
import org.jvrpc.roce.rc.RcAttributes;
import org.jvrpc.roce.rc.ReceiveQueue;
import org.jvrpc.roce.rc.Urgency;
import org.jvrpc.roce.wire.Psn;
import org.jvrpc.softrnic.chain.ChainEngine;
import org.jvrpc.softrnic.memory.AddressSpace;
import org.jvrpc.softrnic.memory.Arena;
import org.jvrpc.softrnic.memory.Quarantine;
import org.jvrpc.softrnic.queue.Port;
import org.jvrpc.softrnic.queue.PortQueuePair;
import org.jvrpc.softrnic.queue.QpContext;
import org.jvrpc.softrnic.queue.SendEngine;
import org.jvrpc.softrnic.rc.LocalReceives;
import org.jvrpc.softrnic.rc.Responder;
import org.jvrpc.softrnic.roce.ring.ChainReceives;
import org.jvrpc.softrnic.roce.ring.KeyedMemory;
import org.jvrpc.softrnic.roce.ring.QpTally;
import org.jvrpc.softrnic.roce.ring.RemoteKeys;
import org.jvrpc.softrnic.roce.ring.RingReceives;
import org.jvrpc.verbs.QueuePair;
import org.jvrpc.verbs.QueuePairState;
import org.jvrpc.verbs.ServiceClass;
import org.jvrpc.verbs.VerbsException;

/** The port of a QP that talks to its peer by packets. Any thread. */
public final class RocePort implements Port {

    private static final SecureRandom RANDOM = new SecureRandom();
    /**
     * 4.096 us, shifted left by so much, 1 to 20. By 14, as perftest has it, a peer that is stopped for half a second
     * is given up; more where a peer may be without a processor for long.
     */
    private static final int ACK_TIMEOUT =
            Math.min(20, Math.max(1, Integer.getInteger("jvrpc.softrnic.ackTimeout", 14)));
    private static final long ACK_TIMEOUT_NS = 4096L << ACK_TIMEOUT;
    private static final int RETRIES = 7;
    /** READs and atomics under way, each way. */
    private static final int READS = 16;

    private static final int ACK_EVERY = 16;

    private final Supplier<RoceNode> home;
    private final PortQueuePair qp;
    private final AddressSpace arena;
    private final RemoteKeys keys;
    private final RoceEngine engine;
    /** Of a cross-channel QP; else null. */
    private final ChainEngine chain;
    private final String device;
    private final int psn = RANDOM.nextInt() & Psn.MASK;
    /** Whoever takes packets may be about to write to memory whose key has just gone. */
    private final List<Quarantine.Visit> visits = new ArrayList<>();
    private volatile RoceNode node;

    /**
     * @param home where QPs are that are connected without a connection manager
     * @param tally of the device's QPs
     * @param keys what peers know keys of the device's memory by
     * @param chain of a cross-channel QP; else null
     * @param device name of the QP's
     */
    public RocePort(Supplier<RoceNode> home, QpTally tally, PortQueuePair qp, AddressSpace arena, RemoteKeys keys,
            ChainEngine chain, String device) {
        this.home = home;
        this.qp = qp;
        this.arena = arena;
        this.keys = keys;
        this.chain = chain;
        this.device = device;
        this.engine = new RoceEngine(qp, chain, tally);
    }

    /** Keeps packets to QPs of the same device in the process, as a NIC does. Before it is connected. */
    public RocePort loopInside() {
        engine.loopInside();
        return this;
    }

    /** Returns the port of a QP that is to be connected. @throws VerbsException when that cannot be */
    static RocePort of(String operation, QueuePair qp) {
        if (!(qp instanceof Mlx5QueuePair driver && driver.control() instanceof PortQueuePair control
                && control.port() instanceof RocePort port)) {
            throw new VerbsException(operation, "the QP is of another device: " + qp);
        }
        if (control.state() != QueuePairState.INIT) {
            throw new VerbsException(operation, "qp number=" + qp.number() + " state=" + control.state()
                    + " expected=" + QueuePairState.INIT);
        }
        return port;
    }

    QueuePair qp() {
        return qp.driver();
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
        RoceNode at = home.get();
        return new RoceEndpoint(at.address(), qp.number(), psn, at.mtu()).encode();
    }

    @Override
    public void open() {
        if (chain != null) {
            chain.join();
        }
        qp.quarantines().forEach(domain -> visits.add(domain.begin()));
    }

    @Override
    public void connect(byte[] endpoint) {
        RoceEndpoint peer = RoceEndpoint.decode(endpoint);
        RoceNode at = home.get();
        if (chain != null && peer.qpn() == qp.number() && peer.address().equals(at.address())) {
            loop();
            return;
        }
        connect(at, peer, Math.min(peer.mtu(), at.mtu()), READS, true, psn, null);
        begin();
    }

    /** Connects a cross-channel QP to itself: no packets leave. */
    private void loop() {
        chain.check(Responder.of(arena, qp.address(), () -> { }, false));
        chain.connect(device, qp.address());
        advance(QueuePairState.INIT, QueuePairState.RTR);
        advance(QueuePairState.RTR, QueuePairState.RTS);
    }

    /** What a REQ says of the QP. */
    ConnectRequest request(long serviceId, int mtuCode, InetSocketAddress here, Gid there, byte[] framed) {
        return new ConnectRequest(0, 0, serviceId, 0, qp.number(), psn, READS, READS, mtuCode,
                qp.attributes().rnrRetry(), RETRIES, ACK_TIMEOUT, qp.attributes().sharedReceive() != null,
                here.getPort(), Gid.of(here.getAddress().getAddress()), there, qp.attributes().serviceClass(), framed);
    }

    /** What a REP says of the QP. */
    ConnectReply reply(byte[] framed) {
        return new ConnectReply(0, 0, 0, 0, qp.number(), psn, READS, READS, qp.attributes().rnrRetry(),
                qp.attributes().sharedReceive() != null, framed);
    }

    /** Connects to a peer that has agreed, and waits for this side's word. @param kin the peer is such a node, too */
    void connect(RoceNode over, RoceEndpoint peer, int peersReads, boolean kin, Runnable heard) {
        agreed(over, peer, peersReads, kin, heard);
        begin();
    }

    /**
     * Connects to a peer that does not know yet: nothing is sent before {@link #begin}, or a packet of it.
     *
     * @param asked what the peer asks for, which is for QPs that ask for nothing
     */
    void accept(RoceNode over, RoceEndpoint peer, int peersReads, boolean kin, ServiceClass asked, Runnable heard) {
        if (qp.attributes().serviceClass().isDefault()) {
            engine.trafficClass(asked.trafficClass());
        }
        agreed(over, peer, peersReads, kin, heard);
    }

    /** A REQ or REP names the PSN with which its receiver begins, not its sender. Source: Linux, core/cm.c. */
    private void agreed(RoceNode over, RoceEndpoint peer, int peersReads, boolean kin, Runnable heard) {
        RoceEndpoint told = new RoceEndpoint(peer.address(), peer.qpn(), psn, peer.mtu());
        connect(over, told, peer.mtu(), peersReads, kin, peer.psn(), heard);
        qp.driver().stateChanged();
    }

    /** The peer knows that it is accepted. @throws VerbsException when no packets can leave; the QP is in ERR then */
    void begin() {
        try {
            engine.begin();
        } catch (RuntimeException | Error e) {
            fail();
            throw e;
        }
    }

    /** It is about to disconnect: what was delivered is acknowledged before. */
    void finish() {
        engine.go(Urgency.ALL);
    }

    /** Ends the QP, unless it is closed. */
    void fail() {
        qp.error();
    }

    private void connect(RoceNode over, RoceEndpoint peer, int mtu, int peersReads, boolean kin, int first,
            Runnable heard) {
        RcAttributes attributes = RcAttributes.defaults().withMtu(mtu).withGoBackZero(over.trial().goBackZero())
                .withUnaskedAcks(kin)
                .withWindow(over.window(mtu), ACK_EVERY)
                .withRetries(RETRIES, qp.attributes().rnrRetry(), ACK_TIMEOUT_NS)
                .withPatience(qp.attributes().patienceNs())
                .withReads(Math.max(1, Math.min(READS, peersReads)), READS)
                .withMinRnrTimer(qp.attributes().minRnrTimerNs());
        Responder own = Responder.of(arena, qp.address(), qp.receiveCq()::wake, false);
        ReceiveQueue receives = new RingReceives(qp, new LocalReceives(own));
        engine.connect(over, peer, attributes,
                chain == null ? receives : new ChainReceives(receives, chain.chains()),
                new KeyedMemory(qp.regions(), qp.pd(), keys), first, heard);
        synchronized (engine) { // a QP that is closed meanwhile has its state under this lock, then no memory
            if (qp.state() != QueuePairState.INIT) {
                throw new VerbsException("modify_qp", "qp number=" + qp.number() + " state=" + qp.state());
            }
            node = over;
            over.add(qp.number(), this);
            try {
                advance(QueuePairState.INIT, QueuePairState.RTR);
                advance(QueuePairState.RTR, QueuePairState.RTS);
            } catch (VerbsException e) {
                over.remove(qp.number());
                throw e;
            }
        }
        qp.sendCq().beforeSleep(over.thread().sleeper());
        qp.receiveCq().beforeSleep(over.thread().sleeper());
        qp.sendCq().alert(); // polls that find nothing take packets, from now on
        qp.receiveCq().alert();
    }

    private void advance(QueuePairState from, QueuePairState to) {
        if (!QpContext.advance(qp.sends().memory(), qp.context(), from, to)) {
            throw new VerbsException("modify_qp", "qp number=" + qp.number() + " state=" + qp.state());
        }
    }

    @Override
    public void makeReady() {
        throw new VerbsException("modify_qp", "an RC QP is made ready by connecting it");
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
        if (chain != null) {
            chain.close();
        }
        visits.forEach(Quarantine.Visit::beginLeaving); // before nobody finds it any more
        RoceNode at = node;
        if (at != null) {
            engine.go(Urgency.ALL); // what was delivered is acknowledged
            at.remove(qp.number());
        }
    }

    /** The longest that a send takes to a peer that is alive and has receives, repeats included. */
    public static long longestSendNs() {
        return (RETRIES + 1) * ACK_TIMEOUT_NS;
    }

    @Override
    public void close(Arena.Block memory, Set<Quarantine> known) {
        engine.end(); // waits for the thread that is in it
        boolean certain = chain == null || !chain.wasTakenOver(); // else who runs chains may go on
        visits.forEach(visit -> visit.end(certain));
        Quarantine.free(memory, known);
    }
}
