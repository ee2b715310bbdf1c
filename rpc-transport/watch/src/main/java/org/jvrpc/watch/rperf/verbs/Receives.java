package org.jvrpc.watch.rperf.verbs;

import java.util.Arrays;
import org.jvrpc.verbs.CompletionQueue;
import org.jvrpc.verbs.MemoryRegion;
import org.jvrpc.verbs.PostReceive;
import org.jvrpc.verbs.ProtectionDomain;
import org.jvrpc.verbs.QueuePair;
import org.jvrpc.verbs.QueuePairAttributes;
import org.jvrpc.verbs.ReceiveRequest;
import org.jvrpc.verbs.ServiceClass;
import org.jvrpc.verbs.Sge;

/** A QP that takes messages, all into the same memory, and does not look at them. One thread. */
final class Receives implements AutoCloseable {

    /** With {@link PairSink#MOST_QPS} of them a CQ has as many entries as devices have at least: rxe 16,384. */
    static final int DEPTH = 256;
    private static final int BATCH = 16;
    private static final long RNR_NS = 10_000;

    final QueuePair qp;
    private final PostReceive some;
    private final PostReceive one;
    private int owed;

    /** Makes a QP in INIT with all its receives posted. */
    Receives(ProtectionDomain pd, CompletionQueue sends, CompletionQueue receives, MemoryRegion memory, int bytes,
            ServiceClass service) {
        qp = pd.createQp(new QueuePairAttributes(sends, receives).depth(1, DEPTH)
                .rnr(QueuePairAttributes.RNR_RETRY_FOREVER, RNR_NS).serviceClass(service));
        qp.init();
        ReceiveRequest request = ReceiveRequest.of(0, Sge.of(memory, 0, bytes));
        ReceiveRequest[] requests = new ReceiveRequest[BATCH];
        Arrays.fill(requests, request);
        some = qp.prepareReceive(requests);
        one = qp.prepareReceive(request);
        for (int i = 0; i < DEPTH / BATCH; i++) {
            some.execute();
        }
    }

    /** A receive completed. */
    void took() {
        if (++owed == BATCH) {
            owed = 0;
            for (int accepted = some.execute(); accepted < BATCH && one.execute() == 1;) {
                accepted++;
            }
        }
    }

    @Override
    public void close() {
        qp.close();
    }
}
