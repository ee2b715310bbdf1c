package org.jvrpc.ibverbs.binding;

import com.kenai.jffi.CallContext;
import com.kenai.jffi.Invoker;
import com.kenai.jffi.Type;

/**
 * The data path functions of libibverbs, which are inline in C: calls through the pointers of
 * {@code ibv_context.ops}. Allocates nothing. Documentation: section 3 of the manual, under the same names.
 */
public final class Ops {

    private static final Invoker INVOKER = Invoker.getInstance();
    private static final CallContext OF_2 = new CallContext(Type.SINT32, Type.POINTER, Type.SINT32);
    private static final CallContext OF_3 = new CallContext(Type.SINT32, Type.POINTER, Type.POINTER, Type.POINTER);
    private static final CallContext OF_POLL = new CallContext(Type.SINT32, Type.POINTER, Type.SINT32, Type.POINTER);

    private final long pollCq;
    private final long reqNotifyCq;
    private final long postSrqRecv;
    private final long postSend;
    private final long postRecv;

    /** @param context address of a {@code struct ibv_context} */
    public Ops(long context) {
        this.pollCq = Native.pointerAt(context + Layouts.Context.POLL_CQ);
        this.reqNotifyCq = Native.pointerAt(context + Layouts.Context.REQ_NOTIFY_CQ);
        this.postSrqRecv = Native.pointerAt(context + Layouts.Context.POST_SRQ_RECV);
        this.postSend = Native.pointerAt(context + Layouts.Context.POST_SEND);
        this.postRecv = Native.pointerAt(context + Layouts.Context.POST_RECV);
    }

    /** Returns how many completions were taken, or a negative number. */
    public int ibv_poll_cq(long cq, int count, long wc) {
        return (int) INVOKER.invokeN3(OF_POLL, pollCq, cq, count, wc);
    }

    /** Arms; 0 or an errno. */
    public int ibv_req_notify_cq(long cq, int solicitedOnly) {
        return (int) INVOKER.invokeN2(OF_2, reqNotifyCq, cq, solicitedOnly);
    }

    /** Posts sends; 0 or an errno, and then {@code bad} receives the address of the first that was refused. */
    public int ibv_post_send(long qp, long wr, long bad) {
        return (int) INVOKER.invokeN3(OF_3, postSend, qp, wr, bad);
    }

    /** Posts receives; 0 or an errno, as {@link #ibv_post_send}. */
    public int ibv_post_recv(long qp, long wr, long bad) {
        return (int) INVOKER.invokeN3(OF_3, postRecv, qp, wr, bad);
    }

    /** Posts receives to an SRQ; 0 or an errno, as {@link #ibv_post_send}. */
    public int ibv_post_srq_recv(long srq, long wr, long bad) {
        return (int) INVOKER.invokeN3(OF_3, postSrqRecv, srq, wr, bad);
    }
}
