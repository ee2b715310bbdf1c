package org.jvrpc.ibverbs.generic;

import org.jvrpc.ibverbs.core.Errno;
import org.jvrpc.ibverbs.core.NativeException;
import org.jvrpc.verbs.ReceiveRequest;

/** Receives of an SRQ. One thread. */
final class GenericPostSharedReceive extends ReceiveCall {

    private final GenericSharedReceiveQueue srq;

    GenericPostSharedReceive(GenericSharedReceiveQueue srq, ReceiveRequest[] requests) {
        super(requests, srq.depth(), srq.maxSge());
        this.srq = srq;
    }

    @Override
    public int execute() {
        if (freed || !srq.gate().enter()) {
            throw new IllegalStateException(
                    "post_srq_recv: freed=" + freed + " srq=" + srq.number() + " closed=" + srq.gate().isClosed());
        }
        try {
            int count = 0;
            while (count < wrIds.length) {
                long id = srq.stamp(wrIds[count]);
                if (id == 0) {
                    break;
                }
                chain.id(count++, id);
            }
            return count == 0 ? 0 : post(count);
        } finally {
            srq.gate().leave();
        }
    }

    private int post(int count) {
        WrIdRing.publish();
        chain.cut(count);
        int error = srq.domain().context().ops().ibv_post_srq_recv(
                srq.address(), chain.address(0), chain.badAddress());
        chain.whole(count);
        int accepted = chain.accepted(count, error);
        for (int wr = accepted; wr < count; wr++) {
            srq.giveBack(WrId.place(chain.id(wr)));
        }
        if (error != 0 && error != Errno.ENOMEM) {
            throw NativeException.of("post_srq_recv", error, "srq number=" + srq.number() + " wr=" + accepted);
        }
        return accepted;
    }

    @Override
    public boolean valid() {
        return !freed && !srq.gate().isClosed();
    }
}
