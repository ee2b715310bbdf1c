package org.jvrpc.ibverbs.rxe;

import org.jvrpc.verbs.ReceiveRequest;

/** Receives of an SRQ: no native call. One thread. */
final class RxePostSharedReceive extends RxeReceiveCall {

    private final RxeSharedReceiveQueue srq;

    RxePostSharedReceive(RxeSharedReceiveQueue srq, ReceiveRequest[] requests, int maxSge) {
        super(requests, srq.depth(), maxSge);
        this.srq = srq;
    }

    @Override
    public int execute() {
        if (freed || srq.isClosed()) {
            throw new IllegalStateException(
                    "post_srq_recv: freed=" + freed + " srq=" + srq.number() + " closed=" + srq.isClosed());
        }
        int wr = 0;
        while (wr < wrIds.length
                && srq.write(wr, wrIds[wr], words, starts[wr], sgeCounts[wr], lengths[wr])) {
            wr++;
        }
        if (wr > 0) {
            srq.publish(wr);
        }
        return wr;
    }

    @Override
    public boolean valid() {
        return !freed && !srq.isClosed();
    }
}
