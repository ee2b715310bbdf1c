package org.jvrpc.softrnic.roce.ring;

import java.nio.ByteBuffer;
import org.jvrpc.mlx5.BigEndian;
import org.jvrpc.mlx5.QueueMemory;
import org.jvrpc.mlx5.Wqe;
import org.jvrpc.roce.rc.SendWork;
import org.jvrpc.softrnic.chain.RemoteVerbs;
import org.jvrpc.softrnic.memory.Copy;
import org.jvrpc.softrnic.queue.PortQueuePair;
import org.jvrpc.verbs.WcStatus;

/**
 * What chains send, one WQE at a time: a copy of it is the send ring that the transport sees. Handed over with the
 * claim of the group, the rest under the QP's lock.
 */
public final class ChainSends extends RingSends implements RemoteVerbs {

    /** As many as the longest WQE has. */
    private static final int BLOCKS = 16;
    private static final int MASK = BLOCKS * Wqe.BLOCK - 1;
    private static final int FLAGS = 8;
    private static final int NONE = 0;
    private static final int POSTED = 1;
    private static final int DONE = 2;

    private final ByteBuffer copy;
    private final Runnable handedOver;
    private final Runnable ended;
    /** Whose turn it is. What else is not volatile is written before it by whoever had the turn. */
    private volatile int state;
    private int posted;
    /** What is under way is no chain's. */
    private boolean probes;
    private WcStatus result;
    private int bytes;

    /**
     * @param handedOver called when there is a WQE to send, by whoever runs the chains
     * @param ended called when a WQE has ended, so that chains run again
     */
    public ChainSends(PortQueuePair qp, Runnable handedOver, Runnable ended) {
        this(qp, ByteBuffer.allocateDirect(2 * BLOCKS * Wqe.BLOCK).alignedSlice(Wqe.BLOCK), handedOver, ended);
    }

    private ChainSends(PortQueuePair qp, ByteBuffer copy, Runnable handedOver, Runnable ended) {
        super(qp, new QueueMemory(copy, 0, BLOCKS, Wqe.BLOCK, 0), null);
        this.copy = copy;
        this.handedOver = handedOver;
        this.ended = ended;
    }

    @Override
    public WcStatus execute(ByteBuffer ring, int start, int at, int mask, int blocks) {
        if (state == DONE) {
            state = NONE;
            return result;
        }
        if (state == NONE) {
            int to = posted * Wqe.BLOCK & MASK;
            for (int offset = 0; offset < blocks * Wqe.BLOCK; offset += Wqe.BLOCK) {
                Copy.bytes(ring, start + (at + offset & mask), copy, to + offset & MASK, Wqe.BLOCK);
            }
            long flags = BigEndian.getLong(copy, to + FLAGS);
            BigEndian.putLong(copy, to + FLAGS, flags | (long) Wqe.CE_ALWAYS << 32); // the chain waits for it
            posted += blocks;
            state = POSTED;
            handedOver.run();
        }
        return null;
    }

    /**
     * Asks the peer whether it is there: a WRITE of no bytes, of which the chains see nothing. With the claim of the
     * group and the QP's lock.
     *
     * @return false while something is under way, which asks as well
     */
    public boolean probe() {
        if (state != NONE) {
            return false;
        }
        int to = posted * Wqe.BLOCK & MASK;
        for (int at = to; at < to + Wqe.BLOCK; at += Long.BYTES) {
            BigEndian.putLong(copy, at, 0);
        }
        BigEndian.putInt(copy, to, Wqe.RDMA_WRITE);
        BigEndian.putInt(copy, to + Wqe.QPN_DS, 2);
        BigEndian.putLong(copy, to + FLAGS, (long) Wqe.CE_ALWAYS << 32);
        posted++;
        probes = true;
        state = POSTED;
        return true;
    }

    @Override
    public int bytes() {
        return bytes;
    }

    @Override
    public boolean fetch(SendWork work) {
        if (state != POSTED) {
            return false;
        }
        produced(posted);
        return super.fetch(work);
    }

    @Override
    public void complete(SendWork work, WcStatus status) {
        bytes = (int) work.length();
        end(status);
    }

    private void end(WcStatus status) {
        result = status;
        state = probes ? NONE : DONE; // of one that failed the QP is in ERR
        probes = false;
        ended.run();
    }

    @Override
    public void flush() {
        if (state == POSTED) {
            end(WcStatus.WR_FLUSH_ERR);
        }
    }
}
