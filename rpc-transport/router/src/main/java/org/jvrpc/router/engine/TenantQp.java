package org.jvrpc.router.engine;

import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jvrpc.router.Refusal;
import org.jvrpc.router.RefusedException;
import org.jvrpc.router.RemoteConnection;
import org.jvrpc.router.RemotePath;
import org.jvrpc.router.audit.SparseLog;
import org.jvrpc.router.engine.memory.PushIn;
import org.jvrpc.router.engine.memory.Ring;
import org.jvrpc.softrnic.datagram.DatagramContext;
import org.jvrpc.softrnic.datagram.DatagramTarget;
import org.jvrpc.softrnic.memory.LateFaults;
import org.jvrpc.softrnic.memory.Piece;
import org.jvrpc.softrnic.memory.Slab;
import org.jvrpc.softrnic.queue.CqWriter;
import org.jvrpc.softrnic.queue.Mirror;
import org.jvrpc.softrnic.queue.QpContext;
import org.jvrpc.softrnic.rc.Responder;
import org.jvrpc.softrnic.router.wire.QpNote;
import org.jvrpc.softrnic.router.wire.SubmitRing;
import org.jvrpc.verbs.QueuePairState;

/**
 * A QP of a tenant's device. The context in private memory counts; the tenant's copy is told the state. The worker's
 * thread, but for {@link #ring}.
 */
final class TenantQp implements Turn {

    private static final SparseLog LOG = SparseLog.of(TenantQp.class);

    private final TenantDevice device;
    private final int number;
    private final int segment;
    private final Piece context;
    private final ByteBuffer memory;
    private final int at;
    private final ByteBuffer copy;
    private final int copyAt;
    private final TenantCq sendCq;
    private final TenantCq receiveCq;
    private final TenantSrq srq;
    /** Null for a cross-channel QP, whose chains execute what it sends; else those are null. */
    private final TenantSend send;
    /** Of a datagram QP; null for others. */
    private final DatagramSend datagrams;
    private final ChainedSend chained;
    /** Null for none. */
    private final PushIn pushes;
    /** Set by who rings, taken by the worker. */
    private final AtomicBoolean queued = new AtomicBoolean();
    private volatile int rung;
    /** It is in its tenant's list of those that have work, or waits for a receiver. */
    private boolean listed;
    private boolean closed;
    private boolean hot;
    private boolean heard; // by a frame, and its owner does not know that yet
    private long servedNs;
    /** Whom it sends to, and who sends to it. */
    private TenantQp receiver;
    private TenantQp sender;
    private DatagramTarget target;
    /** Null unless its peer is on another host. */
    private RemoteEnd remote;

    /** Refuses what does not go together. @return true for a cross-channel QP */
    static boolean requireFitting(QpNote note, TenantCq sendCq, TenantCq receiveCq, TenantSrq srq) {
        boolean chained = (note.flags() & QpNote.CROSS_CHANNEL) != 0;
        boolean datagram = (note.flags() & QpNote.DATAGRAM) != 0;
        if (chained != sendCq.isCrossChannel() || chained != receiveCq.isCrossChannel()
                || (chained || datagram) && (srq != null || note.submit() != 0) || chained && datagram) {
            throw new RefusedException(Refusal.NOT_YOURS, "qp=" + note.number() + " cross-channel=" + chained
                    + " datagrams=" + datagram + ": one goes with CQs that are alike, and neither with an SRQ or a"
                    + " submit ring, nor with the other");
        }
        return chained;
    }

    /** @param chains of its domain, for a cross-channel QP; else null */
    TenantQp(TenantDevice device, QpNote note, TenantCq sendCq, TenantCq receiveCq, TenantSrq srq,
            TenantChains chains) {
        this.device = device;
        this.number = note.number();
        this.sendCq = sendCq;
        this.receiveCq = receiveCq;
        this.srq = srq;
        Slab slab = device.require("QP", note.address(), QpContext.RINGS + (long) note.receives() * note.stride());
        long sends = note.address() + note.sendRing();
        boolean inside = note.sendRing() >= QpContext.RINGS && note.sendRing() % 64 == 0
                && slab.containsInWindow(note.address(), note.sendRing() + 64L * note.sends());
        if (!inside) {
            throw new RefusedException(Refusal.NOT_YOURS, "qp=" + number + " send ring at=" + note.sendRing()
                    + " blocks=" + note.sends() + " is not in its slab");
        }
        this.pushes = submits(device, note);
        this.segment = Slab.segmentOf(note.address());
        this.copy = slab.window(note.address());
        this.copyAt = Slab.index(note.address());
        this.context = device.own().allocate(QpContext.BYTES);
        this.memory = context.slab().window(context.address());
        this.at = Slab.index(context.address());
        QpContext.own(memory, at, note.address());
        if (srq != null) {
            QpContext.share(memory, at, srq.context());
        }
        if (chains != null) {
            QpContext.join(memory, at, chains.context());
        }
        if (isDatagram(note)) {
            DatagramContext.write(memory, at, note.qkey());
        }
        QpContext.write(memory, at, number, note.pd(), note.receives(), note.stride(), receiveCq.context());
        QpContext.advance(memory, at, QueuePairState.RESET, QueuePairState.INIT);
        if (chains != null) {
            this.send = null;
            this.datagrams = null;
            this.chained = chain(chains, note);
        } else if (isDatagram(note)) {
            this.send = null;
            this.chained = null;
            this.datagrams = new DatagramSend(this, new Ring(slab.window(sends), Slab.index(sends), note.sends()),
                    note.pd(), CqWriter.of(device.space(), sendCq.context(), number, sendCq.wake(), false));
        } else {
            this.datagrams = null;
            CqWriter completions = CqWriter.of(device.space(), sendCq.context(), number, sendCq.wake(), false);
            this.send = new TenantSend(this, slab.window(sends), Slab.index(sends), note.sends(), note.pd(),
                    device.regions(), completions, pushes, note.rnrRetry(), note.rnrTimerNs(),
                    device.worker().clock());
            this.chained = null;
        }
        use(1);
    }

    private static boolean isDatagram(QpNote note) {
        return (note.flags() & QpNote.DATAGRAM) != 0;
    }

    private ChainedSend chain(TenantChains chains, QpNote note) {
        try {
            sendCq.join(chains);
            receiveCq.join(chains);
            return new ChainedSend(chains, this, note, context.address(), sendCq.context());
        } catch (RuntimeException e) {
            device.own().give(context.address(), QpContext.BYTES);
            throw e;
        }
    }

    private static PushIn submits(TenantDevice device, QpNote note) {
        if (note.submit() == 0) {
            return null;
        }
        Slab slab = device.require("submit ring", note.submit(), SubmitRing.BYTES);
        if (Slab.segmentOf(note.submit()) != Slab.segmentOf(note.address())) {
            throw new RefusedException(
                    Refusal.NOT_YOURS, "qp=" + note.number() + " and its submit ring are in two slabs");
        }
        return new PushIn(slab.window(note.submit()), Slab.index(note.submit()));
    }

    private void use(int more) {
        device.use(segment, more);
        sendCq.use(more);
        receiveCq.use(more);
        if (srq != null) {
            srq.use(more);
        }
    }

    @Override
    public TenantDevice device() {
        return device;
    }

    /** Returns the chains that it is of; null for others. */
    TenantChains chains() {
        return chained == null ? null : chained.chains();
    }

    @Override
    public long againNs() {
        return queue().againNs();
    }

    int number() {
        return number;
    }

    /** Returns the queue of an RC QP; null for others. */
    TenantSend send() {
        return send;
    }

    /** Returns what the worker executes; null for a cross-channel QP. */
    Queue queue() {
        return datagrams == null ? send : datagrams;
    }

    /** Returns it as one that datagrams are sent to; null for another, and for one that is not ready. */
    DatagramTarget target() {
        return target;
    }

    /** Takes datagrams from now on, and sends them. */
    void ready() {
        if (datagrams == null || state() != QueuePairState.INIT) {
            throw new RefusedException(Refusal.NOT_YOURS, "qp=" + number + " state=" + state() + " datagrams="
                    + (datagrams != null) + " is no datagram QP in INIT");
        }
        target = new DatagramTarget(device.space(), context.address(), receiveCq.wake());
        move(QueuePairState.INIT, QueuePairState.RTR);
        move(QueuePairState.RTR, QueuePairState.RTS);
        Mirror.state(copy, copyAt, state());
    }

    TenantQp receiver() {
        return receiver;
    }

    boolean isRts() {
        return QpContext.isRts(memory, at);
    }

    QueuePairState state() {
        return QpContext.state(memory, at);
    }

    @Override
    public boolean isClosed() {
        return closed;
    }

    @Override
    public boolean list(boolean now) {
        boolean changes = listed != now;
        listed = now;
        return changes;
    }

    boolean submits() {
        return pushes != null;
    }

    boolean hasSubmitted() {
        return send != null && send.hasSubmitted();
    }

    boolean isHot() {
        return hot;
    }

    /** Says whether its submit ring is looked at. */
    void hot(boolean now) {
        hot = now;
        pushes.hot(now);
    }

    /** Says to the owner that its frame is heard, before what it rang for is looked at. */
    void hear() {
        if (heard && pushes != null) {
            pushes.heard();
        }
        heard = false;
    }

    long servedNs() {
        return servedNs;
    }

    void served(long nowNs) {
        servedNs = nowNs;
    }

    /** Takes the tenant's word; returns true when the worker is to be told. Any thread. */
    boolean ring(int producer) {
        rung = producer;
        return queued.compareAndSet(false, true);
    }

    /** Returns whether it was rung and {@link #takeRing} has not looked at that. */
    boolean isRung() {
        return queued.get();
    }

    /** Looks at what was rung; false when the QP cannot go on. */
    boolean takeRing() {
        queued.set(false);
        heard = true;
        return chained == null ? queue().ring(rung) : chained.ring(rung);
    }

    /** Sends to a QP from now on. */
    void connect(TenantQp peer) {
        if (state() != QueuePairState.INIT || receiver != null) {
            throw new RefusedException(Refusal.NOT_YOURS, "qp=" + number + " state=" + state() + " is not in INIT");
        }
        if (peer.sender != null || peer.remote != null || peer.state() == QueuePairState.ERR) {
            throw new RefusedException(Refusal.BUSY, "peer qp=" + peer.number + " state=" + peer.state()
                    + " takes no sender");
        }
        if (datagrams != null || peer.datagrams != null) {
            throw new RefusedException(Refusal.NOT_YOURS, "a datagram QP has no peer: qp=" + number + " peer qp="
                    + peer.number);
        }
        if (chained != null && peer.srq != null) {
            throw new RefusedException(Refusal.NOT_YOURS, "the peer of a cross-channel QP must have receives of its"
                    + " own, not an SRQ's: qp=" + number + " peer qp=" + peer.number);
        }
        Responder responder = Responder.of(peer.device.space(), peer.context.address(), peer.receiveCq.wake(), false,
                peer.device.keys());
        if (peer.chained != null && peer.chains() != chains()) {
            responder.chains(peer.chains());
        }
        if (send != null) {
            send.connect(responder);
        }
        receiver = peer;
        peer.sender = this;
        move(QueuePairState.INIT, QueuePairState.RTR);
        move(QueuePairState.RTR, QueuePairState.RTS);
        Mirror.state(copy, copyAt, state());
        if (chained != null) {
            chained.connect(responder);
        }
    }

    /** Sends to a QP of another host from now on, and takes what that sends. */
    void connect(RemoteConnection to, RemotePath path) {
        if (state() != QueuePairState.INIT || receiver != null || sender != null || remote != null) {
            throw new RefusedException(Refusal.NOT_YOURS, "qp=" + number + " state=" + state() + " is not in INIT,"
                    + " or has a peer");
        }
        if (datagrams != null) {
            throw new RefusedException(Refusal.NOT_YOURS, "a datagram QP has no peer: qp=" + number);
        }
        Responder own = Responder.of(device.space(), context.address(), receiveCq.wake(), false, device.keys());
        RemoteEnd end = chained == null ? send.connectAway(own) : chained.connectAway(own);
        end.begin(path.begin(to, end));
        remote = end;
        move(QueuePairState.INIT, QueuePairState.RTR);
        move(QueuePairState.RTR, QueuePairState.RTS);
        Mirror.state(copy, copyAt, state());
        device.worker().ready(this);
    }

    private void move(QueuePairState from, QueuePairState to) {
        QpContext.advance(memory, at, from, to);
    }

    /** What the tenant rang or submitted cannot be: the QP ends, which is told once. */
    void toFault() {
        if (state() != QueuePairState.ERR) {
            LOG.warn(device.tenant().id(), "device={} qp={} was rung beyond its ring, or submits what is nothing:"
                    + " it ends", device, number);
            if (chained == null) {
                queue().toError();
            } else {
                toError();
                device.told().failed(number);
            }
        }
    }

    /** Whom it sends to is not there any more. @param touch false when its memory is not */
    void disconnect(boolean touch) {
        if (chained != null) {
            chained.disconnect();
        } else if (send != null) {
            send.disconnect(touch);
        }
    }

    /** Gives up a receive that it took of its receiver, whose memory is there though this one's may not be. */
    void abandon() {
        if (send != null && receiver != null && !receiver.device.hasEnded()) {
            touch(send::giveUp);
        }
    }

    /** Returns false when memory is not there; whose is found out when it is touched otherwise. */
    private static boolean touch(Runnable last) {
        try {
            last.run();
            LateFaults.tell();
            return true;
        } catch (InternalError e) {
            return false;
        }
    }

    /** Moves it to ERR, for good. */
    void toError() {
        QpContext.fail(memory, at);
        Mirror.state(copy, copyAt, QueuePairState.ERR);
        if (remote != null) {
            remote.halt();
            remote.again(); // what is under way is flushed
        }
    }

    /** Tells whether what it sends goes to memory of any device. */
    boolean sendsToMany() {
        return datagrams != null;
    }

    /** As {@link #toError}, as it was asked for. */
    void failNow() {
        toError();
        device.worker().ready(this); // flushes what was rung
    }

    /**
     * Ends it: nothing of it is touched any more, and nothing is delivered to it.
     *
     * @param touch false when the tenant's memory cannot be touched
     */
    void close(boolean touch) {
        if (closed) {
            return;
        }
        closed = true;
        target = null;
        QpContext.fail(memory, at);
        if (remote != null) {
            remote.halt();
        }
        abandon();
        boolean touched = touch && touch(() -> Mirror.state(copy, copyAt, QueuePairState.ERR));
        if (remote != null) {
            remote.close(touched);
            remote = null;
        }
        if (receiver != null) {
            receiver.sender = null;
            receiver = null;
        }
        if (sender != null) {
            sender.disconnect(touched);
            sender.receiver = null;
            device.worker().ready(sender); // what waits for this receiver waits in vain
            sender = null;
        }
        if (chained != null) {
            chained.close();
        }
        device.own().give(context.address(), QpContext.BYTES);
        use(-1);
    }
}
