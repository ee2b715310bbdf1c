package org.jvrpc.softrnic;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jvrpc.mlx5.BigEndian;
import org.jvrpc.mlx5.Mlx5QueuePair;
import org.jvrpc.mlx5.QueueMemory;
import org.jvrpc.mlx5.QueuePairControl;
import org.jvrpc.mlx5.Wqe;
import org.jvrpc.verbs.MemoryRegion;
import org.jvrpc.verbs.ProtectionDomain;
import org.jvrpc.verbs.QueuePairAttributes;
import org.jvrpc.verbs.QueuePairState;
import org.jvrpc.verbs.VerbsException;

/** The control path of a QP of the software RNIC. Any thread. */
final class SoftQueuePair implements QueuePairControl, ShmChannel.Handler {

    /** How often sends that wait for the peer are tried again by who waits for events. */
    private static final long STALL_INTERVAL_NS = 1_000_000;

    private final SoftDevice device;
    private final SoftProtectionDomain domain;
    private final SoftCompletionQueue sendCq;
    private final SoftCompletionQueue receiveCq;
    /** Where receives are taken from, or null. */
    private final SoftSharedReceiveQueue srq;
    private final boolean datagram;
    /** This QP as senders of datagrams see it, once it takes them. */
    private volatile DatagramTarget self;
    private final Arena.Block block;
    private final ByteBuffer memory;
    private final int context;
    private final SendEngine engine;
    private final ChainPort port;
    private final int receiveRing;
    private final int receiveBytes;
    private final int sendRing;
    private final int sendBlocks;
    private final Mlx5QueuePair driver;
    private final int number;
    private final boolean lazyWake;
    private PeerAccess peer;
    private final Visitor visitor;
    /** True when the memory may be somebody else's: nothing is written to it any more. */
    private volatile boolean gone;
    private volatile Runnable notifyPeer = () -> { };
    private volatile boolean peerDead;

    private SoftQueuePair(SoftDevice device, SoftProtectionDomain domain, QueuePairAttributes attributes) {
        this.device = device;
        this.lazyWake = attributes.lazyWake();
        this.domain = domain;
        this.sendCq = device.own(attributes.sendCq());
        this.receiveCq = device.own(attributes.receiveCq());
        this.srq = device.own(attributes.sharedReceive());
        int number = device.claimQpn();
        this.number = number;
        int entries = srq != null ? 1 : Mlx5QueuePair.roundUp(attributes.maxReceiveWr());
        int stride = srq != null ? Wqe.SEGMENT : Mlx5QueuePair.receiveStride(attributes);
        int receiveBytes = Math.max(Wqe.BLOCK, entries * stride);
        int blocks = Mlx5QueuePair.sendBlocks(attributes);
        this.block = allocate(number, QpContext.BYTES + receiveBytes + (long) blocks * Wqe.BLOCK);
        this.receiveRing = Slab.index(block.address()) + QpContext.RINGS;
        this.receiveBytes = receiveBytes;
        this.memory = block.slab().window(block.address());
        this.context = Slab.index(block.address());
        this.visitor = new Visitor(memory, context);
        int rings = context + QpContext.RINGS;
        QueueMemory receives = new QueueMemory(memory, rings, entries, stride, context + QpContext.RECORD);
        QueueMemory sends =
                new QueueMemory(memory, rings + receiveBytes, blocks, Wqe.BLOCK, context + QpContext.RECORD);
        this.sendRing = rings + receiveBytes;
        this.sendBlocks = blocks;
        boolean chained = attributes.isCrossChannel();
        this.datagram = attributes.isDatagram();
        checkCqs(chained);
        if (datagram) {
            DatagramContext.write(memory, context, attributes.qkey());
        }
        if (chained) {
            QpContext.join(memory, context, domain.chains().group().address());
        }
        if (srq != null) {
            QpContext.share(memory, context, srq.address());
        }
        QpContext.write(memory, context, number, domain.number(), entries, stride, receiveCq.address());
        this.port = chained
                ? new ChainPort(device, domain.chains().group(), domain.quarantine(), attributes, number, blocks,
                        ringAddress(), block.address())
                : null;
        this.engine = chained ? port : engine(sends, number, attributes);
        this.driver = new Mlx5QueuePair(number, attributes, sends, srq == null ? receives : null, engine, this,
                device.regions().of(domain.number()));
    }

    private Arena.Block allocate(int number, long bytes) {
        try {
            return device.arena().allocate(bytes);
        } catch (VerbsException e) {
            device.releaseQpn(number);
            throw e;
        }
    }

    private SendEngine engine(QueueMemory sends, int number, QueuePairAttributes attributes) {
        CqWriter completions = new CqWriter(sendCq.slab(), sendCq.address(), number, sendCq::wake, false);
        if (datagram) {
            return new DatagramEngine(sends, context, device, domain, completions, this::failed);
        }
        return new Engine(sends, context, domain.number(), device.regions(), completions, attributes, device.clock(),
                this::stalled, this::failed);
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

    private long ringAddress() {
        return block.address() + sendRing - context;
    }

    @Override
    public MemoryRegion registerSendRing(ProtectionDomain owner, int access) {
        if (!(owner instanceof SoftProtectionDomain soft) || soft.device() != device) {
            throw new VerbsException("reg_mr", "protection domain is of another device: " + owner);
        }
        visitor.share(soft.quarantine());
        return soft.register(block.slab(), ringAddress(), (long) sendBlocks * Wqe.BLOCK, access, true);
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
        try {
            for (SoftCompletionQueue cq : List.of(qp.sendCq, qp.receiveCq)) {
                cq.attach(qp);
                attached.add(cq);
            }
            if (qp.port != null) {
                qp.port.join();
            }
            if (qp.srq != null) {
                qp.srq.driver().attach();
            }
            qp.visitor.expect(domain.quarantine(), qp.srq == null ? List.of() : List.of(qp.srq.domain().quarantine()));
            device.know(qp);
            return qp.driver;
        } catch (VerbsException e) {
            attached.forEach(cq -> cq.withdraw(qp));
            if (qp.port != null) {
                qp.port.close();
            }
            qp.undo();
            throw e;
        }
    }

    /** Returns true when a message to this QP may be written to memory of a key. */
    boolean mayReceiveInto(int lkey) {
        if (srq != null || port != null) {
            return true;
        }
        for (int at = receiveRing; at < receiveRing + receiveBytes; at += Wqe.SEGMENT) {
            if ((int) BigEndian.getLong(memory, at) == lkey) {
                return true;
            }
        }
        return false;
    }

    /** Returns true when others than the peer's process may execute what is sent to this QP. */
    boolean isFedByChains() {
        return peer != null && peer.isChained();
    }

    /** Returns true when no thread writes to the peer's memory for this QP, which is closed. */
    boolean isQuiet() {
        return !device.isClosing() && (port == null || !port.wasTakenOver());
    }

    Visitor visitor() {
        return visitor;
    }

    long address() {
        return block.address();
    }

    SoftProtectionDomain domain() {
        return domain;
    }

    Mlx5QueuePair driver() {
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
        return new Endpoint(block.address(), device.name()).encode();
    }

    @Override
    public void makeReady() {
        device.datagrams().add(driver.number(), block.address());
        self = new DatagramTarget(device.arena(), block.address(), receiveCq::wake);
        if (!QpContext.advance(memory, context, QueuePairState.INIT, QueuePairState.RTR)
                || !QpContext.advance(memory, context, QueuePairState.RTR, QueuePairState.RTS)) {
            throw new VerbsException("modify_qp", "qp number=" + driver.number() + " state=" + state());
        }
    }

    boolean isDatagram() {
        return datagram;
    }

    /** Frees this QP from a sender of datagrams that died while it delivered one. */
    void lookForDead() {
        DatagramTarget target = self;
        if (target != null) {
            target.lookForDead();
        }
    }

    /** Returns how many datagrams were dropped for a reason. */
    int dropped(DatagramContext.Drop why) {
        return DatagramContext.dropped(memory, context, why);
    }

    @Override
    public void connect(byte[] endpoint) {
        Endpoint other = Endpoint.decode("modify_qp", endpoint);
        peer = PeerAccess.open(device, other, id(), () -> notifyPeer.run(), lazyWake, this::begin);
        SoftDevice local = peer.localDevice();
        if (local != null) {
            notifyPeer = local::wakeAll;
        }
        if (!QpContext.advance(memory, context, QueuePairState.RTR, QueuePairState.RTS)) {
            throw new VerbsException("modify_qp", "qp number=" + driver.number() + " state=" + state());
        }
    }

    private void begin(PeerAccess claimed) {
        engine.connect(claimed.responder());
        claimed.setGoing(device, port);
        if (port == null && claimed.isChained()) {
            receiveCq.lookFromNowOn();
        }
        if (!QpContext.advance(memory, context, QueuePairState.INIT, QueuePairState.RTR)) {
            throw new VerbsException("modify_qp", "qp number=" + driver.number() + " state=" + state());
        }
    }

    /** Returns who this QP is among all of the host: never 0. */
    private long id() {
        long hash = 0;
        for (byte b : device.name().getBytes(StandardCharsets.US_ASCII)) {
            hash = 31 * hash + b;
        }
        return hash << 24 | driver.number();
    }

    private void stalled() {
        sendCq.watch(this);
    }

    @Override
    public boolean ready() {
        return false; // there is no socket
    }

    @Override
    public synchronized void tick(long nowNs) {
        if (gone) {
            return;
        }
        engine.progress();
        if (!engine.isStalled()) {
            sendCq.unwatch(this);
            if (engine.isStalled()) {
                sendCq.watch(this); // its poster stalled it again meanwhile
            }
        }
    }

    @Override
    public long intervalNs() {
        return STALL_INTERVAL_NS;
    }

    /** Has the peer woken through a connection. */
    void notifyBy(Runnable notifier) {
        notifyPeer = notifier;
    }

    @Override
    public void error() {
        failed();
        sendCq.driver().alert();
        sendCq.wake();
        receiveCq.driver().alert();
        receiveCq.wake();
    }

    /** Moves to ERR because the peer's process is gone and will not write any more. */
    void peerDied() {
        peerDead = true;
        error();
    }

    @Override
    public void wakePeer() {
        if (lazyWake) {
            engine.wakePeer();
        }
    }

    @Override
    public void failed() {
        synchronized (this) {
            if (gone) {
                return;
            }
            if (state() != QueuePairState.ERR) {
                QpContext.fail(memory, context);
            }
        }
        receiveCq.driver().flushReceives(driver);
    }

    @Override
    public int lostReceive() {
        return srq == null ? -1 : srq.lost(driver.number(), peerDead, receiveCq);
    }

    @Override
    public void close() {
        QpContext.fail(memory, context);
        visitor.beginLeaving(); // before the domain forgets this QP
        sendCq.unwatch(this);
        if (peerDead && !receiveCq.isExclusive()) {
            receiveCq.clearDeadClaims(); // while it is known whose they are
        }
        sendCq.forget(this);
        receiveCq.forget(this);
        if (port != null) {
            port.close();
        }
        domain.remove(driver);
        if (self != null) {
            device.datagrams().remove(driver.number());
            self.settle();
        }
        if (srq != null) {
            srq.release(driver.number(), peerDead, receiveCq);
            srq.driver().detach();
        }
        device.forget(this);
        device.releaseQpn(driver.number());
        if (peer != null) {
            peer.leave(isQuiet());
        }
        synchronized (this) {
            gone = true;
            visitor.release(block, isQuiet() && !datagram); // of datagrams anybody may have been a sender
        }
    }
}
