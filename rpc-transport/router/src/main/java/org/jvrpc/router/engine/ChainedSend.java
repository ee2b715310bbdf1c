package org.jvrpc.router.engine;

import java.nio.ByteBuffer;
import org.jvrpc.softrnic.chain.GroupContext;
import org.jvrpc.softrnic.chain.QueueContext;
import org.jvrpc.softrnic.memory.Piece;
import org.jvrpc.softrnic.memory.Slab;
import org.jvrpc.softrnic.rc.Responder;
import org.jvrpc.softrnic.router.wire.QpNote;

/** The send queue of a tenant's cross-channel QP: its group runs it. The worker's thread. */
final class ChainedSend {

    private final TenantQp owner;
    private final TenantDevice device;
    private final TenantChains chains;
    private final Piece context;
    private final ByteBuffer memory;
    private final int at;
    private final int qpn;
    private final int entries;
    private final boolean managed;
    private final QpNote note;
    private final long cq;

    /**
     * @param owner whose it is
     * @param qp address of the QP's context, which counts
     * @param cq address of the context of its send CQ
     */
    ChainedSend(TenantChains chains, TenantQp owner, QpNote note, long qp, long cq) {
        this.owner = owner;
        this.device = chains.device();
        this.chains = chains;
        this.note = note;
        this.cq = cq;
        this.qpn = note.number();
        this.entries = note.sends();
        this.managed = (note.flags() & QpNote.MANAGED_SEND) != 0;
        this.context = device.own().allocate(QueueContext.BYTES);
        this.memory = context.slab().window(context.address());
        this.at = Slab.index(context.address());
        int flags = (managed ? QueueContext.MANAGED : 0)
                | ((note.flags() & QpNote.MANAGED_RECEIVE) != 0 ? QueueContext.MANAGED_RECEIVE : 0)
                | ((note.flags() & QpNote.CHECKED) != 0 ? QueueContext.CHECKED : 0);
        QueueContext.write(memory, at, qpn, flags, entries, note.address() + note.sendRing(), qp, cq,
                note.rnrRetry());
        try {
            chains.change(shared -> GroupContext.addQueue(shared, chains.at(), context.address()),
                    "too many cross-channel QPs in a protection domain");
        } catch (RuntimeException e) {
            device.own().give(context.address(), QueueContext.BYTES);
            throw e;
        }
        chains.add(owner, note.rnrTimerNs());
    }

    TenantChains chains() {
        return chains;
    }

    void connect(Responder peer) {
        chains.group().connect(qpn, peer);
        chains.ready();
    }

    /** Sends to another host from now on. @param own the QP itself, as who sends to it sees it */
    RemoteEnd connectAway(Responder own) {
        own.chains(chains);
        ChainEnd end = new ChainEnd(owner, chains, own, note, cq);
        chains.group().reach(qpn, end);
        return end;
    }

    /** The peer is gone: nothing of it is touched any more. */
    void disconnect() {
        chains.group().connect(qpn, null);
        chains.ready();
    }

    /** Takes the tenant's word for how far its ring is filled; false when it cannot be. What is old says nothing. */
    boolean ring(int word) {
        if (managed) {
            return true;
        }
        if (word - QueueContext.executed(memory, at) > entries) {
            return false;
        }
        if (word - QueueContext.limit(memory, at) > 0) {
            QueueContext.limit(memory, at, word);
        }
        chains.ready();
        return true;
    }

    /** Leaves the group. */
    void close() {
        chains.group().connect(qpn, null);
        chains.group().reach(qpn, null);
        chains.change(shared -> {
            GroupContext.removeQueue(shared, chains.at(), context.address());
            return true;
        }, "leaving");
        chains.remove(owner);
        device.own().give(context.address(), QueueContext.BYTES);
    }
}
