package org.jvrpc.ibverbs.core;

import java.lang.ref.Reference;
import org.jvrpc.ibverbs.binding.Ibv;
import org.jvrpc.ibverbs.binding.Layouts.Qp;
import org.jvrpc.ibverbs.binding.Layouts.QpAttr;
import org.jvrpc.ibverbs.binding.Layouts.QpInitAttr;
import org.jvrpc.ibverbs.binding.Native;
import org.jvrpc.verbs.VerbsException;

/** A QP that libibverbs made. Any thread. */
public class LibraryHandle implements QpHandle {

    private final RdmaContext context;
    private final long qp;
    private final int number;
    private final Native asked = Native.allocate(QpAttr.BYTES);
    private final Native askedInit = Native.allocate(QpInitAttr.BYTES);
    private int state;
    private boolean destroyed;

    /** @param qp address of a {@code struct ibv_qp} */
    public LibraryHandle(RdmaContext context, long qp) {
        this.context = context;
        this.qp = qp;
        this.number = Native.intAt(qp + Qp.QP_NUM);
    }

    /** Returns the address of the {@code struct ibv_qp}. */
    public final long address() {
        return qp;
    }

    @Override
    public final int number() {
        return number;
    }

    @Override
    public final synchronized void modify(QpChange change) {
        if (destroyed) {
            throw new VerbsException("modify_qp", "qp is closed, number=" + number);
        }
        int error = context.whileOpen("modify_qp", () -> {
            before(change);
            return context.lib().ibv_modify_qp(qp, change.attr().address(), change.mask());
        });
        Reference.reachabilityFence(change);
        if (error != 0) {
            throw NativeException.of("modify_qp", error, "qp number=" + number + " state=" + change.state()
                    + " mask=0x" + Integer.toHexString(change.mask()));
        }
        after(change);
    }

    /** Called before the QP is told. */
    protected void before(QpChange change) {
    }

    /** Called when the change was made. */
    protected void after(QpChange change) {
    }

    @Override
    public final synchronized int queryState() {
        state = Ibv.QPS_RESET;
        if (!destroyed) {
            context.whileOpen(this::query);
        }
        return state;
    }

    private void query() {
        int error = context.lib().ibv_query_qp(qp, asked.address(), Ibv.QP_STATE, askedInit.address());
        if (error != 0) {
            throw NativeException.of("query_qp", error, "qp number=" + number);
        }
        state = asked.getInt(QpAttr.QP_STATE);
    }

    @Override
    public final synchronized void destroy() {
        if (!destroyed) {
            context.whileOpen(() -> {
                destroyed = true;
                context.lib().ibv_destroy_qp(qp);
            });
        }
    }
}
