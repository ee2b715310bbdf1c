package org.jvrpc.softrnic.roce.ring;

import java.nio.ByteBuffer;
import org.jvrpc.mlx5.Cqe;
import org.jvrpc.roce.rc.ReceiveQueue;
import org.jvrpc.softrnic.queue.PortQueuePair;
import org.jvrpc.softrnic.rc.LocalReceives;
import org.jvrpc.verbs.WcStatus;

/** The receives of a QP, of its own or of an SRQ, as the transport sees them. Under the QP's lock. */
public final class RingReceives implements ReceiveQueue {

    private final PortQueuePair qp;
    private final LocalReceives receives;

    public RingReceives(PortQueuePair qp, LocalReceives receives) {
        this.qp = qp;
        this.receives = receives;
    }

    @Override
    public boolean take() {
        return receives.take();
    }

    @Override
    public WcStatus place(long from, ByteBuffer packet, int at, int length, boolean last) {
        return receives.place(from, packet, at, length, last);
    }

    @Override
    public boolean complete(Arrival kind, long length, int word) {
        int opcode = switch (kind) {
            case SEND -> Cqe.RESP_SEND;
            case SEND_IMM -> Cqe.RESP_SEND_IMM;
            case SEND_INVALIDATE -> Cqe.RESP_SEND_INV;
            case WRITE_IMM -> Cqe.RESP_WR_IMM;
        };
        return receives.complete(opcode, (int) length, word);
    }

    @Override
    public void fail(WcStatus status) {
        receives.fail(status);
    }

    @Override
    public void failed() {
        receives.giveUp();
        qp.error();
    }
}
