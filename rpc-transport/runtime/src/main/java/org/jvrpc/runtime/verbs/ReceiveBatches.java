package org.jvrpc.runtime.verbs;

import java.nio.ByteBuffer;
import java.util.Arrays;
import org.jvrpc.runtime.session.RpcHeader;
import org.jvrpc.verbs.PostReceive;
import org.jvrpc.verbs.QueuePair;
import org.jvrpc.verbs.ReceiveRequest;

/**
 * The receives of a link, which are posted again in batches, in order, as messages are done with. They are numbered as
 * they are added, region by region. One thread.
 */
final class ReceiveBatches {

    static final int BATCH = 4;

    /**
     * Receives posted beyond those that flow control counts on: of the batch that is posted next up to all but one are
     * done with, and of the message polled last the peer may have the answer.
     */
    private static final int SLACK = BATCH;

    private final QueuePair qp;
    /** Where each receive lies. */
    private ByteBuffer[] memory = {};
    private int[] offsets = {};
    /** In the order in which they were posted, from {@link #next} on. */
    private PostReceive[] batches = {};
    private int doneInBatch;
    private int next;

    ReceiveBatches(QueuePair qp) {
        this.qp = qp;
    }

    /** Posts all of a region, behind those that are posted. */
    void add(LinkRegion region) {
        int count = batches.length;
        PostReceive[] all = Arrays.copyOf(batches, count + region.receives() / BATCH);
        memory = Arrays.copyOf(memory, all.length * BATCH);
        offsets = Arrays.copyOf(offsets, all.length * BATCH);
        for (int i = 0; i < count; i++) {
            all[i] = batches[(next + i) % count];
        }
        for (int i = 0; i < all.length - count; i++) {
            ReceiveRequest[] requests = new ReceiveRequest[BATCH];
            for (int j = 0; j < BATCH; j++) {
                int receive = i * BATCH + j;
                int number = count * BATCH + receive;
                memory[number] = region.memory();
                offsets[number] = region.receiveOffset(receive);
                requests[j] = region.receive(receive, number);
            }
            all[count + i] = qp.prepareReceive(requests);
            all[count + i].execute();
        }
        batches = all;
        next = 0;
    }

    /** Returns how many receives there are. */
    int count() {
        return batches.length * BATCH;
    }

    /** Returns how many receives there are, for so many messages that may come before any is taken. */
    static int count(int messages) {
        return messages + SLACK + BATCH - 1 & -BATCH;
    }

    /** Returns the bytes of one, for bodies of so many. */
    static int stride(int slotBytes) {
        return RpcHeader.BYTES + slotBytes + 63 & -64;
    }

    /** Returns the memory that the message of a receive lies in. */
    ByteBuffer memory(int receive) {
        return memory[receive];
    }

    /** Returns where it lies there. */
    int offset(int receive) {
        return offsets[receive];
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
