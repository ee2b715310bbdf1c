package org.jvrpc.ibverbs.rxe;

import org.jvrpc.verbs.ReceiveRequest;

/** Receives of a QP with a queue of its own: no native call. One thread. */
final class RxePostReceive extends RxeReceiveCall {

    private final RxeQueuePair qp;
    private final RxeReceiveQueue queue;

    RxePostReceive(RxeQueuePair qp, RxeReceiveQueue queue, ReceiveRequest[] requests) {
        super(requests, queue.capacity(), qp.attributes().maxReceiveSge());
        this.qp = qp;
        this.queue = queue;
    }

    @Override
    public int execute() {
        if (freed || !qp.mayReceive()) {
            throw new IllegalStateException(
                    "post_recv: freed=" + freed + " qp=" + qp.number() + " state=" + qp.describeState());
        }
        int count = Math.min(wrIds.length, queue.room());
        for (int wr = 0; wr < count; wr++) {
            queue.write(wr, wrIds[wr], words, starts[wr], sgeCounts[wr], lengths[wr]);
        }
        queue.publish(count);
        if (qp.hasFailed()) {
            qp.failed(); // has what was just posted flushed, too
        }
        return count;
    }

    @Override
    public boolean valid() {
        return !freed && !qp.isClosed();
    }
}
