package org.jvrpc.router.engine;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.jvrpc.mlx5.BigEndian;
import org.jvrpc.mlx5.QueueMemory;
import org.jvrpc.mlx5.Wqe;
import org.jvrpc.softrnic.chain.RemoteVerbs;
import org.jvrpc.softrnic.queue.DataSegments;
import org.jvrpc.softrnic.rc.Responder;
import org.jvrpc.softrnic.router.wire.QpNote;
import org.jvrpc.verbs.WcStatus;

/**
 * A cross-channel QP whose peer is on another host. A WQE of its queue is copied, sent, and complete when word comes of
 * it; its chains wait for that as for any WAIT, and have no turns meanwhile. The worker's thread.
 */
final class ChainEnd extends RemoteEnd implements RemoteVerbs {

    private static final int COPY_BLOCKS = 16;

    private final TenantChains chains;
    private boolean underWay;
    /** Of the WQE that has ended; null: none has. */
    private WcStatus result;
    private int bytes;

    ChainEnd(TenantQp qp, TenantChains chains, Responder own, QpNote note) {
        this(qp, chains, own, note,
                ByteBuffer.allocateDirect(COPY_BLOCKS * Wqe.BLOCK).order(ByteOrder.LITTLE_ENDIAN));
    }

    private ChainEnd(TenantQp qp, TenantChains chains, Responder own, QpNote note, ByteBuffer copy) {
        super(qp, own, copy, new DataSegments(new QueueMemory(copy, 0, COPY_BLOCKS, Wqe.BLOCK, 0), note.pd(),
                qp.device().regions()), null, note.rnrRetry(), TenantSend.retryNs(note.rnrTimerNs()),
                TenantChains.MOST_BYTES);
        this.chains = chains;
    }

    @Override
    public WcStatus execute(ByteBuffer ring, int start, int at, int mask, int blocks) {
        if (!underWay && result == null) {
            for (int i = 0; i < blocks; i++) {
                wqe.put(i * Wqe.BLOCK, ring, start + (at + i * Wqe.BLOCK & mask), Wqe.BLOCK);
            }
            underWay = true;
            bytes = 0;
        }
        if (underWay) {
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
            status = execute(0, BigEndian.getLong(wqe, 0), BigEndian.getLong(wqe, 8), false);
        } while (status == WcStatus.SUCCESS && hasMore());
        if (status != null && !isUnderWay()) {
            ended(status); // it needs no peer, or cannot be sent
        }
    }

    private void ended(WcStatus status) {
        bytes = status == WcStatus.SUCCESS ? (int) total() : 0;
        forget();
        underWay = false;
        result = status;
    }

    @Override
    public int bytes() {
        return bytes;
    }

    /** The chain waits for it, whatever its owner does. */
    @Override
    public boolean isSignalled() {
        return true;
    }

    @Override
    public void completed(WcStatus status) {
        if (underWay) {
            ended(status);
            again();
        }
    }

    @Override
    public void failed() {
        qp.toError();
        qp.device().told().failed(qp.number());
        if (underWay) {
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
        underWay = false;
        result = null;
        forget();
        end();
    }
}
