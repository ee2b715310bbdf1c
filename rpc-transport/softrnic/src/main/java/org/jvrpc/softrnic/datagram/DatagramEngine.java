package org.jvrpc.softrnic.datagram;

import java.nio.ByteBuffer;
import org.jvrpc.mlx5.BigEndian;
import org.jvrpc.mlx5.Cqe;
import org.jvrpc.mlx5.QueueMemory;
import org.jvrpc.mlx5.Wqe;
import org.jvrpc.softrnic.queue.CqWriter;
import org.jvrpc.softrnic.queue.DataSegments;
import org.jvrpc.softrnic.queue.PortQueuePair;
import org.jvrpc.softrnic.queue.QpContext;
import org.jvrpc.softrnic.queue.SendEngine;
import org.jvrpc.verbs.WcStatus;

/**
 * Executes the send queue of a UD QP, on the thread that rings its doorbell. Nothing stalls: what cannot be delivered
 * is dropped, and complete.
 */
public final class DatagramEngine implements SendEngine {

    /** The longest datagram, in bytes: the largest path MTU of InfiniBand. */
    public static final int MAX_DATAGRAM = 4096;

    private final ByteBuffer memory;
    private final int context;
    private final int ring;
    private final int ringMask;
    private final PortQueuePair qp;
    private final DatagramOutlet outlet;
    private final DataSegments data;
    private final CqWriter completions;
    private int executed;

    /**
     * Sends to QPs whose memory is mapped.
     *
     * @param qp is told when a WQE failed and the QP is in ERR
     * @param routes of the QP's device
     * @param completions producer of the send CQ
     */
    public DatagramEngine(PortQueuePair qp, DatagramRoutes routes, CqWriter completions) {
        this(qp, new MappedOutlet(routes, qp), completions);
    }

    /** Sends to where an outlet leads. */
    public DatagramEngine(PortQueuePair qp, DatagramOutlet outlet, CqWriter completions) {
        QueueMemory queue = qp.sends();
        this.qp = qp;
        this.memory = queue.memory();
        this.context = qp.context();
        this.ring = queue.ring();
        this.ringMask = queue.entries() * Wqe.BLOCK - 1;
        this.outlet = outlet;
        this.data = new DataSegments(queue, qp.pd(), qp.regions());
        this.completions = completions;
    }

    @Override
    public void wakePeer() {
        // Each delivery sees to it.
    }

    @Override
    public boolean isStalled() {
        return false;
    }

    @Override
    public void progress() {
        // Nothing waits.
    }

    @Override
    public void ring(int producer) {
        while (executed != producer) {
            int at = executed * Wqe.BLOCK & ringMask;
            long control = BigEndian.getLong(memory, ring + at);
            long flags = BigEndian.getLong(memory, ring + at + 8);
            int segments = Wqe.segments((int) control);
            int blocks = Math.max(1, Wqe.blocks(segments));
            WcStatus status;
            if (!QpContext.isRts(memory, context)) {
                status = WcStatus.WR_FLUSH_ERR;
            } else if (segments < Wqe.DATAGRAM_DATA / Wqe.SEGMENT || blocks > producer - executed) {
                status = WcStatus.LOC_QP_OP_ERR;
            } else {
                status = execute(at, control, flags);
            }
            complete(control, flags, status);
            executed += Math.min(blocks, producer - executed);
        }
    }

    private WcStatus execute(int at, long control, long flags) {
        int opcode = Wqe.opcode((int) (control >>> 32));
        if (opcode != Wqe.SEND && opcode != Wqe.SEND_IMM) {
            return WcStatus.LOC_QP_OP_ERR;
        }
        WcStatus gathered = data.collect(at, Wqe.DATAGRAM_DATA, Wqe.segments((int) control), 0);
        if (gathered != WcStatus.SUCCESS) {
            return gathered;
        }
        return outlet.send(memory, ring + at + Wqe.VECTOR, data.list(), opcode == Wqe.SEND_IMM, (int) flags,
                (flags >>> 32 & Wqe.SOLICITED) != 0); // the vector lies in the first block, with ctrl
    }

    private void complete(long control, long flags, WcStatus status) {
        if (status == WcStatus.SUCCESS) {
            if (!Wqe.isSignalled(flags)) {
                return;
            }
            if (completions.succeed(Wqe.opcode((int) (control >>> 32)), executed, (int) data.list().total())) {
                return;
            }
        } else {
            completions.fail(executed, Cqe.REQ_ERR, status, 0);
        }
        QpContext.fail(memory, context);
        qp.failed();
    }
}
