package org.jvrpc.softrnic.roce.ring;

import java.nio.ByteBuffer;
import org.jvrpc.mlx5.Cqe;
import org.jvrpc.roce.ud.UdReceiveQueue;
import org.jvrpc.softrnic.queue.PortQueuePair;
import org.jvrpc.softrnic.rc.LocalReceives;
import org.jvrpc.verbs.WcStatus;

/** The receives of a UD QP, as what takes its packets sees them. Under the QP's lock. */
public final class UdReceives implements UdReceiveQueue {

    private final PortQueuePair qp;
    private final LocalReceives receives;

    public UdReceives(PortQueuePair qp, LocalReceives receives) {
        this.qp = qp;
        this.receives = receives;
    }

    @Override
    public long capacity() {
        return receives.take() ? receives.capacity() : -1;
    }

    @Override
    public WcStatus place(long from, ByteBuffer bytes, int at, int length) {
        return receives.place(from, bytes, at, length, false); // never in the CQE
    }

    @Override
    public boolean complete(int length, boolean hasImmediate, int immediate, int sourceQpn) {
        return receives.complete(hasImmediate ? Cqe.RESP_SEND_IMM : Cqe.RESP_SEND, length, immediate, sourceQpn);
    }

    @Override
    public void fail(WcStatus status) {
        receives.fail(status);
        qp.error();
    }
}
