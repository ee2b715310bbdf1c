package org.jvrpc.router.lane;

import java.nio.ByteBuffer;
import org.jvrpc.router.RemotePath;
import org.jvrpc.softrnic.memory.MemoryRange;
import org.jvrpc.verbs.Access;
import org.jvrpc.verbs.WcStatus;

/**
 * What a QP of another host offers or asks for, to be read without a copy between. While such a piece is under way the
 * peer sends nothing behind it. The worker's thread.
 */
final class DirectRequests implements Bulk.Owner {

    private final RemoteQp qp;
    private final Requests requests;
    private final RemotePath.Local local;
    private final MemoryRange range = new MemoryRange();
    private final Bulk.Transfer transfer = new Bulk.Transfer(this);
    private boolean underWay;
    /** It is read here; else by the peer. */
    private boolean reads;
    // Of the piece that is read here.
    private int opcode;
    private int immediate;
    private int total;
    private int skip;
    private int bytes;

    DirectRequests(RemoteQp qp, Requests requests, RemotePath.Local local) {
        this.qp = qp;
        this.requests = requests;
        this.local = local;
    }

    private Bulk bulk() {
        return qp.pair().lanes() == null ? null : qp.pair().lanes().bulk();
    }

    boolean isUnderWay() {
        return underWay;
    }

    /** Tells how long the piece is that is offered, by its sender's word; -1 for none that may be. */
    static int offered(ByteBuffer m, int at, int length) {
        int offered = length == LaneHeader.OFFER_BYTES ? LaneHeader.offeredBytes(m, at) : -1;
        return offered < Bulk.LEAST || offered > Bulk.MOST ? -1 : offered;
    }

    /** Reads what is offered, as a part that follows. @return what else than success it is; null: later */
    WcStatus offer(ByteBuffer m, int at, int offered) {
        opcode = LaneHeader.opcode(m, at);
        immediate = LaneHeader.immediate(m, at);
        total = LaneHeader.total(m, at);
        skip = LaneHeader.skip(m, at);
        bytes = offered;
        long address = LaneHeader.offeredAddress(m, at);
        int key = LaneHeader.offeredKey(m, at);
        WcStatus status = local.place(
                opcode, LaneHeader.rkey(m, at), LaneHeader.address(m, at), total, skip, bytes, range);
        if (status == WcStatus.SUCCESS && begin(true, Access.LOCAL_WRITE)) {
            bulk().read(transfer, address, key);
        }
        return status;
    }

    /** Lets the peer read what it asks for. @return what else than success it is; null: later */
    WcStatus ask(ByteBuffer m, int at, int asked) {
        bytes = asked;
        WcStatus status = local.source(LaneHeader.rkey(m, at), LaneHeader.address(m, at), asked, range);
        if (status == WcStatus.SUCCESS && begin(false, Access.REMOTE_READ)) {
            grant(qp.pair().lanes());
        }
        return status;
    }

    private void grant(LaneSet lanes) {
        int slot = lanes.slots().take();
        ByteBuffer memory = lanes.slots().memory();
        int at = Slots.at(slot);
        qp.begin(memory, at, LaneHeader.GRANT, requests.expected());
        LaneHeader.remote(memory, at, transfer.remoteAddress(), transfer.remoteKey());
        LaneHeader.part(memory, at, bytes, 0);
        qp.post(lanes, slot, LaneHeader.BYTES);
    }

    private boolean begin(boolean here, int access) {
        Bulk bulk = bulk();
        if (bulk == null || !bulk.open(transfer, range, bytes, access)) {
            redo();
            return false;
        }
        reads = here;
        underWay = true;
        return true;
    }

    private void redo() {
        qp.say(LaneHeader.REDO, 0, 0, requests.expected());
    }

    /** The peer has read what it asked for; false when that cannot be. */
    boolean done(int sequence, int flags) {
        if (!underWay || reads || sequence != requests.expected()) {
            return requests.isFallen();
        }
        close(false);
        if ((flags & LaneHeader.ABANDONED) == 0) {
            requests.settle(WcStatus.SUCCESS);
        }
        return true;
    }

    /** Nothing is brought to its memory or read there from now on. @param guilty in the midst of it */
    void close(boolean guilty) {
        Bulk bulk = bulk();
        if (bulk != null) {
            bulk.close(transfer, guilty);
        }
        underWay = false;
    }

    @Override
    public Holder holder() {
        return qp.holder();
    }

    @Override
    public void ended(boolean came) {
        if (!underWay || !reads) {
            return;
        }
        underWay = false;
        if (!came) {
            redo();
            return;
        }
        WcStatus status;
        try {
            status = local.placed(opcode, immediate, total, skip, bytes);
        } catch (InternalError e) {
            local.vanished(e);
            status = WcStatus.REM_OP_ERR;
        }
        if (requests.settle(status)) {
            requests.part(opcode, total, skip + bytes);
            requests.owe(LaneHeader.ASKS, qp.pair().lanes().polledNs());
        }
    }

    @Override
    public void revoked() {
        if (reads) {
            bulk().giveUp(transfer);
        } else {
            bulk().close(transfer, true); // the peer cannot read it, and says so
        }
    }
}
