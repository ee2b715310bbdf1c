package org.jvrpc.ibverbs.card;

import java.nio.ByteBuffer;
import org.jvrpc.ibverbs.binding.Ibv;
import org.jvrpc.ibverbs.core.LibraryHandle;
import org.jvrpc.ibverbs.core.QpChange;
import org.jvrpc.ibverbs.core.RdmaContext;

/** A QP whose rings are written here: libmlx5 clears its doorbell record when it goes to RESET. Any thread. */
final class CardHandle extends LibraryHandle {

    private ByteBuffer record;
    private long counters;

    /** @param qp address of a {@code struct ibv_qp} */
    CardHandle(RdmaContext context, long qp) {
        super(context, qp);
    }

    /** Tells the QP's doorbell record. */
    void record(ByteBuffer memory) {
        this.record = memory;
    }

    @Override
    protected void before(QpChange change) {
        if (change.state() == Ibv.QPS_RESET && record != null) {
            counters = record.getLong(0);
        }
    }

    @Override
    protected void after(QpChange change) {
        if (change.state() == Ibv.QPS_INIT && counters != 0) {
            record.putLong(0, counters); // receives that were posted before a connection failed are still there
            counters = 0;
        }
    }
}
