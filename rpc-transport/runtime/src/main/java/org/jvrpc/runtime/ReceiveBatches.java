package org.jvrpc.runtime;

import org.jvrpc.verbs.MemoryRegion;
import org.jvrpc.verbs.PostReceive;
import org.jvrpc.verbs.QueuePair;
import org.jvrpc.verbs.ReceiveRequest;
import org.jvrpc.verbs.Sge;

/** The receives of a link, which are posted again in batches, in order, as messages are done with. One thread. */
final class ReceiveBatches {

    static final int BATCH = 8;

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

    /** The oldest message is done with. */
    void done() {
        if (++doneInBatch == BATCH) {
            doneInBatch = 0;
            batches[next].execute();
            next = next + 1 == batches.length ? 0 : next + 1;
        }
    }
}
