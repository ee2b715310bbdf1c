package org.jvrpc.softrnic;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jvrpc.mlx5.BigEndian;
import org.jvrpc.mlx5.Mlx5QueuePair;
import org.jvrpc.mlx5.QueueMemory;
import org.jvrpc.mlx5.QueuePairControl;
import org.jvrpc.mlx5.Wqe;
import org.jvrpc.softrnic.chain.ChainGroup;
import org.jvrpc.softrnic.datagram.DatagramContext;
import org.jvrpc.softrnic.memory.Arena;
import org.jvrpc.softrnic.memory.Quarantine;
import org.jvrpc.softrnic.memory.RegionTable;
import org.jvrpc.softrnic.memory.Slab;
import org.jvrpc.softrnic.queue.Port;
import org.jvrpc.softrnic.queue.PortQueuePair;
import org.jvrpc.softrnic.queue.QpContext;
import org.jvrpc.softrnic.queue.SendEngine;
import org.jvrpc.softrnic.queue.Timed;
import org.jvrpc.verbs.MemoryRegion;
import org.jvrpc.verbs.ProtectionDomain;
import org.jvrpc.verbs.QueuePairAttributes;
import org.jvrpc.verbs.QueuePairState;
import org.jvrpc.verbs.VerbsException;

/**
 * The control path of a QP of the software RNIC. Any thread. It has one lock, its engine's monitor: who makes progress
 * has that already when it finds that the QP failed, so a second one could be met in either order.
 */
final class SoftQueuePair implements QueuePairControl, PortQueuePair, Timed {

    /** How often sends that wait for the peer are tried again by who waits for events. */
    private static final long STALL_INTERVAL_NS = 1_000_000;

    private final SoftDevice device;
    private final SoftProtectionDomain domain;
    private final SoftCompletionQueue sendCq;
    private final SoftCompletionQueue receiveCq;
    /** Where receives are taken from, or null. */
    private final SoftSharedReceiveQueue srq;
    private final boolean datagram;
    private final Arena.Block block;
    private final long behind;
    private final ByteBuffer memory;
    private final int context;
    /** Of the domain, for a cross-channel QP whose chains run in this process; else null. */
    private final ChainGroup group;
    private final QueuePairAttributes attributes;
    private final QueueMemory sends;
    private final Port port;
    private final SendEngine engine;
    private final int receiveRing;
    private final int receiveBytes;
    private final Mlx5QueuePair driver;
    private final int number;
    private final boolean lazyWake;
    /** Domains whose peers know the rings and the context. */
    private final Set<Quarantine> known = ConcurrentHashMap.newKeySet();
    /** True when the memory may be somebody else's: nothing is written to it any more. */
    private volatile boolean gone;
    private volatile boolean peerDead;

    private SoftQueuePair(SoftDevice device, SoftProtectionDomain domain, QueuePairAttributes attributes) {
        this.device = device;
        this.attributes = attributes;
        this.lazyWake = attributes.lazyWake();
        this.domain = domain;
        this.sendCq = device.own(attributes.sendCq());
        this.receiveCq = device.own(attributes.receiveCq());
        this.srq = device.own(attributes.sharedReceive());
        this.number = device.claimQpn();
        int entries = srq != null ? 1 : Mlx5QueuePair.roundUp(attributes.maxReceiveWr());
        int stride = srq != null ? Wqe.SEGMENT : Mlx5QueuePair.receiveStride(attributes);
        int receiveBytes = Math.max(Wqe.BLOCK, entries * stride);
        int blocks = Mlx5QueuePair.sendBlocks(attributes);
        long rings = QpContext.BYTES + receiveBytes + (long) blocks * Wqe.BLOCK;
        long bytes = rings + Arena.ALIGNMENT - 1 & -Arena.ALIGNMENT;
        this.block = allocate(bytes + device.ports().bytesBehind());
        this.behind = block.address() + bytes;
        this.receiveRing = Slab.index(block.address()) + QpContext.RINGS;
        this.receiveBytes = receiveBytes;
        this.memory = block.slab().window(block.address());
        this.context = Slab.index(block.address());
        known.add(domain.quarantine());
        int ring = context + QpContext.RINGS;
        QueueMemory receives = new QueueMemory(memory, ring, entries, stride, context + QpContext.RECORD);
        this.sends = new QueueMemory(memory, ring + receiveBytes, blocks, Wqe.BLOCK, context + QpContext.RECORD);
        this.datagram = attributes.isDatagram();
        checkCqs(attributes.isCrossChannel());
        this.group = attributes.isCrossChannel() ? domain.group() : null;
        this.port = makePort();
        this.engine = port.engine();
        if (srq != null) {
            QpContext.share(memory, context, srq.address());
        }
        QpContext.write(memory, context, number, domain.number(), entries, stride, receiveCq.address());
        this.driver = new Mlx5QueuePair(number, attributes, sends, srq == null ? receives : null, engine, this,
                device.memory(domain.number()));
    }

    private Arena.Block allocate(long bytes) {
        try {
            return device.arena().allocate(bytes);
        } catch (VerbsException e) {
            device.releaseQpn(number);
            throw e;
        }
    }

    private Port makePort() {
        try {
            return device.ports().create(this);
        } catch (RuntimeException | Error e) {
            undo();
            throw e;
        }
    }

    private void checkCqs(boolean chained) {
        if (chained != sendCq.isCrossChannel() || chained != receiveCq.isCrossChannel()) {
            undo();
            throw new VerbsException("create_qp", "cross-channel QPs have cross-channel CQs, and others have not: qp="
                    + chained + " send cq=" + sendCq.isCrossChannel() + " receive cq=" + receiveCq.isCrossChannel());
        }
        if (datagram && receiveCq.isExclusive()) {
            undo();
            throw new VerbsException("create_qp", "an exclusive CQ has one producer, a datagram QP many senders: cq="
                    + receiveCq.driver().number());
        }
    }

    private void undo() {
        block.free();
        device.releaseQpn(number);
    }

    @Override
    public MemoryRegion registerSendRing(ProtectionDomain owner, int access) {
        if (!(owner instanceof SoftProtectionDomain soft) || soft.device() != device) {
            throw new VerbsException("reg_mr", "protection domain is of another device: " + owner);
        }
        known.add(soft.quarantine());
        long ring = block.address() + sends.ring() - context;
        return soft.register(block.slab(), ring, (long) sends.entries() * Wqe.BLOCK, access, true);
    }

    @Override
    public boolean prefetches() {
        return engine.prefetches();
    }

    /** Refuses what does not go together. */
    private static void check(QueuePairAttributes attributes) {
        if (attributes.isCrossChannel() && (attributes.isDatagram() || attributes.sharedReceive() != null)) {
            throw new VerbsException("create_qp", "a cross-channel QP is an RC QP with receives of its own");
        }
        if (attributes.isDatagram() && attributes.sharedReceive() != null) {
            throw new VerbsException("create_qp", "a datagram QP of this device has receives of its own: srq number="
                    + attributes.sharedReceive().number());
        }
    }

    static Mlx5QueuePair create(SoftDevice device, SoftProtectionDomain domain, QueuePairAttributes attributes) {
        check(attributes);
        SoftQueuePair qp = new SoftQueuePair(device, domain, attributes);
        List<SoftCompletionQueue> attached = new ArrayList<>(2);
        boolean shared = false;
        try {
            for (SoftCompletionQueue cq : List.of(qp.sendCq, qp.receiveCq)) {
                cq.attach(qp);
                attached.add(cq);
            }
            if (qp.group != null) {
                qp.sendCq.join(qp.group);
                qp.receiveCq.join(qp.group);
            }
            if (qp.srq != null) {
                qp.srq.driver().attach();
                shared = true;
            }
            qp.port.open();
            return qp.driver;
        } catch (VerbsException e) {
            if (shared) {
                qp.srq.driver().detach();
            }
            attached.forEach(cq -> cq.withdraw(qp));
            qp.port.disconnect();
            qp.undo();
            throw e;
        }
    }

    /** Returns true when a message to this QP may be written to memory of a key. */
    boolean mayReceiveInto(int lkey) {
        if (srq != null || group != null) {
            return true;
        }
        for (int at = receiveRing; at < receiveRing + receiveBytes; at += Wqe.SEGMENT) {
            if ((int) BigEndian.getLong(memory, at) == lkey) {
                return true;
            }
        }
        return false;
    }

    SoftDevice device() {
        return device;
    }

    /** Returns the group of a cross-channel QP; null for others. */
    ChainGroup group() {
        return group;
    }

    @Override
    public int number() {
        return number;
    }

    @Override
    public QueuePairAttributes attributes() {
        return attributes;
    }

    @Override
    public int pd() {
        return domain.number();
    }

    @Override
    public long address() {
        return block.address();
    }

    @Override
    public long behind() {
        return behind;
    }

    @Override
    public QueueMemory sends() {
        return sends;
    }

    @Override
    public int context() {
        return context;
    }

    @Override
    public SoftCompletionQueue sendCq() {
        return sendCq;
    }

    @Override
    public SoftCompletionQueue receiveCq() {
        return receiveCq;
    }

    @Override
    public RegionTable regions() {
        return device.regions();
    }

    @Override
    public List<Quarantine> quarantines() {
        return srq == null ? List.of(domain.quarantine()) : List.of(domain.quarantine(), srq.domain().quarantine());
    }

    @Override
    public Port port() {
        return port;
    }

    SoftProtectionDomain domain() {
        return domain;
    }

    @Override
    public Mlx5QueuePair driver() {
        return driver;
    }

    SendEngine engine() {
        return engine;
    }

    boolean isPeerDead() {
        return peerDead;
    }

    @Override
    public QueuePairState state() {
        return gone ? QueuePairState.ERR : QpContext.state(memory, context);
    }

    @Override
    public void init() {
        QpContext.advance(memory, context, QueuePairState.RESET, QueuePairState.INIT);
    }

    @Override
    public byte[] endpoint() {
        return port.endpoint();
    }

    @Override
    public void makeReady() {
        port.makeReady();
    }

    boolean isDatagram() {
        return datagram;
    }

    /** Frees this QP from senders of datagrams that died while they delivered one. */
    void recover() {
        port.recover();
    }

    /** Returns how many datagrams were dropped for a reason. */
    int dropped(DatagramContext.Drop why) {
        return DatagramContext.dropped(memory, context, why);
    }

    @Override
    public void connect(byte[] endpoint) {
        port.connect(endpoint);
    }

    @Override
    public void stalled() {
        sendCq.watch(this);
    }

    @Override
    public void tick(long nowNs) {
        synchronized (engine) {
            if (gone || progress()) {
                return;
            }
            sendCq.unwatch(this);
            if (engine.isStalled()) {
                sendCq.watch(this); // its poster stalled it again meanwhile
            }
        }
    }

    /** Tries again the sends that wait. Returns true when they wait on. */
    boolean progress() {
        if (group != null) {
            return goOn(); // a run of chains may take long, and its claim keeps others away
        }
        if (engine.isWanted()) {
            return true;
        }
        synchronized (engine) {
            return !gone && goOn();
        }
    }

    private boolean goOn() {
        engine.progress();
        return engine.isStalled();
    }

    @Override
    public long intervalNs() {
        return STALL_INTERVAL_NS;
    }

    @Override
    public void error() {
        failed();
        sendCq.alert();
        sendCq.wake();
        receiveCq.alert();
        receiveCq.wake();
    }

    @Override
    public void peerDied() {
        peerDead = true;
        error();
    }

    @Override
    public void sendersGone() {
        peerDead = true;
    }

    @Override
    public void wakePeer() {
        if (lazyWake) {
            engine.wakePeer();
        }
    }

    @Override
    public void expectSends(int count) {
        engine.expectSends(count);
    }

    @Override
    public void failed() {
        synchronized (engine) {
            if (gone) {
                return;
            }
            if (state() != QueuePairState.ERR) {
                QpContext.fail(memory, context);
            }
            port.flush();
        }
        receiveCq.driver().flushReceives(driver);
    }

    @Override
    public int lostReceive() {
        return srq == null ? -1 : srq.lost(number, peerDead, receiveCq);
    }

    @Override
    public void close() {
        QpContext.fail(memory, context);
        if (peerDead && !receiveCq.isExclusive()) {
            receiveCq.clearDeadClaims(); // while it is known whose they are
        }
        sendCq.forget(this);
        receiveCq.forget(this);
        port.disconnect(); // before the domain forgets this QP
        domain.remove(driver);
        if (srq != null) {
            srq.release(number, peerDead, receiveCq);
            srq.driver().detach();
        }
        device.releaseQpn(number);
        synchronized (engine) {
            gone = true;
        }
        sendCq.unwatch(this); // a poll may have had it watched until here
        port.close(block, Set.copyOf(known));
    }
}
