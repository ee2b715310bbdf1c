package org.jvrpc.router.lane;

import java.nio.ByteBuffer;
import org.jvrpc.mlx5.Wqe;
import org.jvrpc.router.RemotePath;
import org.jvrpc.router.RemoteWork;
import org.jvrpc.softrnic.memory.MemoryRange;
import org.jvrpc.verbs.Access;

/**
 * What one connection sends directly, a piece at a time: the bytes of a SEND or a WRITE are offered, and read by the
 * peer; those of a READ are asked for, and read here. The worker's thread.
 */
final class Direct implements Bulk.Owner {

    private final RemoteQp qp;
    private final RemotePath.Local local;
    private final MemoryRange range = new MemoryRange();
    private final Bulk.Transfer transfer = new Bulk.Transfer(this);
    private long skip;
    private int bytes;
    /** What was asked for is being read. */
    private boolean reads;

    Direct(RemoteQp qp, RemotePath.Local local) {
        this.qp = qp;
        this.local = local;
    }

    private Bulk bulk() {
        return qp.pair().lanes() == null ? null : qp.pair().lanes().bulk();
    }

    /** Returns how much of a WQE can go at once; 0 for nothing. */
    int most(RemoteWork work, long from) {
        Bulk bulk = bulk();
        if (work.total() - from < Bulk.LEAST || bulk == null || !bulk.mayOpen(qp.holder()) || !isKnown(work.opcode())) {
            return 0;
        }
        long piece = Math.min(Math.min(work.data().pieceFrom(from), work.total() - from), Bulk.MOST);
        return piece < Bulk.LEAST ? 0 : (int) piece;
    }

    private static boolean isKnown(int opcode) {
        return opcode == Wqe.SEND || opcode == Wqe.SEND_IMM || opcode == Wqe.RDMA_WRITE
                || opcode == Wqe.RDMA_WRITE_IMM || opcode == Wqe.RDMA_READ;
    }

    /** Has memory at hand for what is sent next; false when that has to be copied. */
    boolean open(RemoteWork work, long from, int piece) {
        work.data().find(from, piece, range);
        skip = from;
        bytes = piece;
        reads = false;
        return work.opcode() == Wqe.RDMA_READ ? range.slab() != null
                : bulk().open(transfer, range, piece, Access.REMOTE_READ);
    }

    /** Writes what is behind the head of the message. */
    void make(ByteBuffer memory, int at, RemoteWork work) {
        if (work.opcode() == Wqe.RDMA_READ) {
            LaneHeader.remote(memory, at, work.remoteAddress() + skip, work.rkey());
            LaneHeader.part(memory, at, bytes, 0);
            return;
        }
        if (work.opcode() == Wqe.RDMA_WRITE || work.opcode() == Wqe.RDMA_WRITE_IMM) {
            LaneHeader.remote(memory, at, work.remoteAddress(), work.rkey());
        }
        LaneHeader.immediate(memory, at, work.immediate());
        LaneHeader.part(memory, at, (int) work.total(), (int) skip);
        LaneHeader.length(memory, at, LaneHeader.OFFER_BYTES);
        LaneHeader.offer(memory, at, transfer.remoteAddress(), transfer.remoteKey(), bytes);
    }

    /** Reads what was asked for, and is granted now; false when it is no answer to that. */
    boolean granted(ByteBuffer m, int at) {
        if (reads || LaneHeader.total(m, at) != bytes) {
            return false;
        }
        local.target(skip, bytes, range);
        reads = true;
        if (bulk().open(transfer, range, bytes, Access.LOCAL_WRITE)) {
            bulk().read(transfer, LaneHeader.address(m, at), LaneHeader.rkey(m, at));
        } else {
            ended(false);
        }
        return true;
    }

    boolean isReading() {
        return reads;
    }

    /** Nothing is brought to its memory or read there from now on. @param guilty in the midst of it */
    void close(boolean guilty) {
        Bulk bulk = bulk();
        if (bulk != null) {
            bulk.close(transfer, guilty);
        }
        reads = false;
    }

    @Override
    public Holder holder() {
        return qp.holder();
    }

    @Override
    public void ended(boolean came) {
        if (reads) {
            reads = false;
            qp.read(came);
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
