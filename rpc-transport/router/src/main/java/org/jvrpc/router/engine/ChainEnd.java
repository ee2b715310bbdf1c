package org.jvrpc.router.engine;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.jvrpc.mlx5.BigEndian;
import org.jvrpc.mlx5.QueueMemory;
import org.jvrpc.mlx5.Wqe;
import org.jvrpc.softrnic.chain.RemoteVerbs;
import org.jvrpc.softrnic.queue.CqWriter;
import org.jvrpc.softrnic.queue.DataSegments;
import org.jvrpc.softrnic.rc.Responder;
import org.jvrpc.softrnic.router.wire.QpNote;
import org.jvrpc.verbs.WcStatus;

/**
 * A cross-channel QP whose peer is on another host. Its chain waits for READs, atomics and what is signalled, until
 * word comes of it, as for any WAIT; whatever else it sends is behind it as soon as it has left, as on a card: a
 * program whose answer is two WRITEs would take two turns there and back else. The worker's thread.
 */
final class ChainEnd extends RemoteEnd implements RemoteVerbs {

    private static final int COPY_BLOCKS = 16;

    /** What has become of the WQE that the chain is at. */
    private enum AtHand {
        NONE,
        /** It leaves, or waits for what it brings. */
        LEAVES,
        /** It has left, and is told of. */
        AWAITED
    }

    private final TenantChains chains;
    private AtHand atHand = AtHand.NONE;
    /** Of the WQE that has ended; null: none has. */
    private WcStatus result;
    private int bytes;

    /** @param cq address of the context of its send CQ */
    ChainEnd(TenantQp qp, TenantChains chains, Responder own, QpNote note, long cq) {
        this(qp, chains, own, note, CqWriter.of(qp.device().space(), cq, note.number(), () -> { }, true),
                ByteBuffer.allocateDirect(COPY_BLOCKS * Wqe.BLOCK).order(ByteOrder.LITTLE_ENDIAN));
    }

    private ChainEnd(TenantQp qp, TenantChains chains, Responder own, QpNote note, CqWriter completions,
            ByteBuffer copy) {
        super(qp, own, copy, new DataSegments(new QueueMemory(copy, 0, COPY_BLOCKS, Wqe.BLOCK, 0), note.pd(),
                qp.device().regions()), completions, note.rnrRetry(), TenantSend.retryNs(note.rnrTimerNs()),
                TenantChains.MOST_BYTES);
        this.chains = chains;
    }

    @Override
    public WcStatus execute(ByteBuffer ring, int start, int at, int mask, int blocks) {
        if (atHand == AtHand.NONE && result == null) {
            for (int i = 0; i < blocks; i++) {
                wqe.put(i * Wqe.BLOCK, ring, start + (at + i * Wqe.BLOCK & mask), Wqe.BLOCK);
            }
            atHand = AtHand.LEAVES;
            bytes = 0;
        }
        if (atHand == AtHand.LEAVES) {
            go();
        }
        WcStatus ended = result;
        result = null;
        return ended;
    }

    /** Sends what there is room for. */
    private void go() {
        WcStatus status;
        do {
            long control = BigEndian.getLong(wqe, 0);
            status = execute(Wqe.index((int) (control >>> 32)), control, BigEndian.getLong(wqe, 8), false);
        } while (status == WcStatus.SUCCESS && hasMore());
        if (status == WcStatus.SUCCESS && isUnderWay() && isSignalled()) {
            atHand = AtHand.AWAITED;
        } else if (status != null) {
            ended(status);
        }
    }

    private void ended(WcStatus status) {
        bytes = status == WcStatus.SUCCESS ? (int) total() : 0;
        forgetAtHand();
        atHand = AtHand.NONE;
        result = status;
    }

    /** The youngest under way is the one that the chain is at. */
    private boolean isAtYoungest() {
        return atHand == AtHand.AWAITED || isBegun();
    }

    @Override
    public int bytes() {
        return bytes;
    }

    @Override
    public void completed(WcStatus status) {
        if (wqes.isEmpty()) {
            return;
        }
        if (wqes.count() == 1 && isAtYoungest()) {
            wqes.dropFirst();
            ended(status);
            again();
        } else if (status != WcStatus.SUCCESS) {
            qp.toError(); // before its owner can see why; what else is under way is flushed
            wqes.fail(completions, status);
            qp.device().told().failed(qp.number());
        } else {
            wqes.dropFirst();
            if (atHand == AtHand.LEAVES) {
                again(); // it may have waited for those before it
            }
        }
    }

    @Override
    public void failed() {
        qp.toError();
        qp.device().told().failed(qp.number());
        if (atHand != AtHand.NONE) {
            ended(WcStatus.RETRY_EXC_ERR);
        }
        again();
    }

    @Override
    public void again() {
        if (!qp.isRts()) {
            chains.fell(this);
        }
        chains.ready();
    }

    @Override
    void flush() {
        if (isAtYoungest() && !wqes.isEmpty()) {
            wqes.dropLast(); // its queue flushes it
        }
        wqes.flush(completions);
        atHand = AtHand.NONE;
        result = null;
        forgetAtHand();
        end();
    }
}
