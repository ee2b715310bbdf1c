package org.jvrpc.ibverbs.card;

import java.nio.ByteBuffer;
import org.jvrpc.ibverbs.binding.Ibv;
import org.jvrpc.ibverbs.binding.Layouts.Qp;
import org.jvrpc.ibverbs.binding.Layouts.QpAttr;
import org.jvrpc.ibverbs.binding.Layouts.QpInitAttr;
import org.jvrpc.ibverbs.binding.Native;
import org.jvrpc.ibverbs.core.NativeException;
import org.jvrpc.ibverbs.core.QpChange;
import org.jvrpc.ibverbs.core.QpHandle;
import org.jvrpc.ibverbs.core.RdmaContext;
import org.jvrpc.verbs.VerbsException;

/** A QP that libibverbs made. Any thread. */
final class CardHandle implements QpHandle {

    private final RdmaContext context;
    private final long qp;
    private final int number;
    private ByteBuffer record;
    private long counters;
    private boolean destroyed;

    /** @param qp address of a {@code struct ibv_qp} */
    CardHandle(RdmaContext context, long qp) {
        this.context = context;
        this.qp = qp;
        this.number = Native.intAt(qp + Qp.QP_NUM);
    }

    long address() {
        return qp;
    }

    /** Tells the QP's doorbell record, which libmlx5 clears when the QP goes to RESET. */
    void record(ByteBuffer memory) {
        this.record = memory;
    }

    @Override
    public int number() {
        return number;
    }

    @Override
    public synchronized void modify(QpChange change) {
        if (destroyed) {
            throw new VerbsException("modify_qp", "qp is closed, number=" + number);
        }
        if (change.state() == Ibv.QPS_RESET && record != null) {
            counters = record.getLong(0);
        }
        context.checkOpen("modify_qp");
        int error = context.lib().ibv_modify_qp(qp, change.attr().address(), change.mask());
        if (error != 0) {
            throw NativeException.of("modify_qp", error, "qp number=" + number + " state=" + change.state()
                    + " mask=0x" + Integer.toHexString(change.mask()));
        }
        if (change.state() == Ibv.QPS_INIT && counters != 0) {
            record.putLong(0, counters); // receives that were posted before a connection failed are still there
            counters = 0;
        }
    }

    @Override
    public synchronized int queryState() {
        if (destroyed || context.isClosed()) {
            return Ibv.QPS_RESET;
        }
        Native attr = Native.allocate(QpAttr.BYTES);
        Native init = Native.allocate(QpInitAttr.BYTES);
        int error = context.lib().ibv_query_qp(qp, attr.address(), Ibv.QP_STATE, init.address());
        if (error != 0) {
            throw NativeException.of("query_qp", error, "qp number=" + number);
        }
        return attr.getInt(QpAttr.QP_STATE);
    }

    @Override
    public synchronized void destroy() {
        if (!destroyed) {
            destroyed = true;
            context.whileOpen(() -> context.lib().ibv_destroy_qp(qp));
        }
    }
}
