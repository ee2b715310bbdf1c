package org.jvrpc.router.engine;

import org.jvrpc.mlx5.Cqe;
import org.jvrpc.mlx5.Wqe;
import org.jvrpc.softrnic.queue.CqWriter;
import org.jvrpc.verbs.WcStatus;

/** What a send queue is whatever its QP sends: what it has cost since that was asked last, and how WQEs end. */
abstract class SendQueue implements Turn.Queue {

    final TenantQp qp;
    final CqWriter completions;
    int producer;
    int executed;
    long movedBytes;
    int attempts;

    SendQueue(TenantQp qp, CqWriter completions) {
        this.qp = qp;
        this.completions = completions;
    }

    /** Returns how many WQEs the ring holds. */
    abstract int entries();

    @Override
    public final boolean ring(int word) {
        if (word - executed > entries()) {
            return false;
        }
        if (word - producer > 0) {
            producer = word;
        }
        return true;
    }

    @Override
    public final long takeBytes() {
        long bytes = movedBytes;
        movedBytes = 0;
        return bytes;
    }

    @Override
    public final int takeAttempts() {
        int count = attempts;
        attempts = 0;
        return count;
    }

    /** Completes a WQE, if its owner wants to know. */
    final void succeeds(long control, long flags, int bytes) {
        if (Wqe.isSignalled(flags)
                && !completions.succeed(Wqe.opcode((int) (control >>> 32)), executed, bytes)) {
            toError();
        }
    }

    /** Moves the QP to ERR, before its owner can see why, and completes the WQE that is why. */
    final void fails(WcStatus status) {
        qp.toError();
        completions.fail(executed, Cqe.REQ_ERR, status, 0);
    }

    @Override
    public final void toError() {
        qp.toError();
        tell();
    }

    /** Has its owner told that it is in ERR. */
    final void tell() {
        completions.attention();
        qp.device().told().failed(qp.number());
    }
}
