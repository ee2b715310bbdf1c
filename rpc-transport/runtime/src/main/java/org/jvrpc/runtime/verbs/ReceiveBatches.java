package org.jvrpc.runtime.verbs;

import org.jvrpc.runtime.session.RpcHeader;
import org.jvrpc.verbs.MemoryRegion;
import org.jvrpc.verbs.PostReceive;
import org.jvrpc.verbs.QueuePair;
import org.jvrpc.verbs.ReceiveRequest;
import org.jvrpc.verbs.Sge;

/** The receives of a link, which are posted again in batches, in order, as messages are done with. One thread. */
final class ReceiveBatches {

    static final int BATCH = 8;

    /** Receives posted beyond those that flow control counts on, so that they can be posted in batches. */
    private static final int SLACK = 16;

    private final PostReceive[] batches;
    private int doneInBatch;
    private int next;

    /**
     * Posts all.
     *
     * @param base where the first lies in the region
     * @param stride bytes of each
     * @param count a multiple of {@link #BATCH}
     */
    ReceiveBatches(QueuePair qp, MemoryRegion mr, int base, int stride, int count) {
        batches = new PostReceive[count / BATCH];
        for (int i = 0; i < batches.length; i++) {
            ReceiveRequest[] requests = new ReceiveRequest[BATCH];
            for (int j = 0; j < BATCH; j++) {
                int index = i * BATCH + j;
                requests[j] = ReceiveRequest.of(index, Sge.of(mr, base + (long) index * stride, stride));
            }
            batches[i] = qp.prepareReceive(requests);
            batches[i].execute();
        }
    }

    /** Returns how many receives there are, for so many messages that may come before any is taken. */
    static int count(int messages) {
        return messages + SLACK + BATCH - 1 & -BATCH;
    }

    /** Returns the bytes of one, for bodies of so many. */
    static int stride(int slotBytes) {
        return RpcHeader.BYTES + slotBytes + 63 & -64;
    }

    /** The oldest message is done with. */
    void done() {
        if (++doneInBatch == BATCH) {
            doneInBatch = 0;
            batches[next].execute();
            next = next + 1 == batches.length ? 0 : next + 1;
        }
    }
}
