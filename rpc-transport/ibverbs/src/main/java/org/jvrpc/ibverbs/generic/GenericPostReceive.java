package org.jvrpc.ibverbs.generic;

import org.jvrpc.ibverbs.core.Errno;
import org.jvrpc.ibverbs.core.NativeException;
import org.jvrpc.verbs.ReceiveRequest;

/** Receives of a QP with a queue of its own. One thread. */
final class GenericPostReceive extends ReceiveCall {

    private final GenericQueuePair qp;

    GenericPostReceive(GenericQueuePair qp, ReceiveRequest[] requests) {
        super(requests, qp.receives().capacity(), qp.attributes().maxReceiveSge());
        this.qp = qp;
    }

    @Override
    public int execute() {
        if (freed || !qp.mayReceive() || !qp.gate().enter()) {
            throw new IllegalStateException(
                    "post_recv: freed=" + freed + " qp=" + qp.number() + " state=" + qp.state());
        }
        int accepted;
        try {
            int count = Math.min(wrIds.length, qp.receives().room());
            accepted = count == 0 ? 0 : post(count);
        } finally {
            qp.gate().leave();
        }
        if (qp.hasFailed()) {
            qp.flush();
        }
        return accepted;
    }

    private int post(int count) {
        WrIdRing ids = qp.receives();
        for (int wr = 0; wr < count; wr++) {
            chain.id(wr, ids.stamp(wr, wrIds[wr]));
            if (qp.posted() != null) {
                qp.posted().note(ids.place(wr), chain, wr);
            }
        }
        WrIdRing.publish();
        chain.cut(count);
        int error = qp.domain().context().ops().ibv_post_recv(qp.address(), chain.address(0), chain.badAddress());
        chain.whole(count);
        int accepted = chain.accepted(count, error);
        ids.advance(accepted);
        if (error != 0 && error != Errno.ENOMEM) {
            throw NativeException.of("post_recv", error, "qp number=" + qp.number() + " wr=" + accepted);
        }
        return accepted;
    }

    @Override
    public boolean valid() {
        return !freed && !qp.gate().isClosed();
    }
}
