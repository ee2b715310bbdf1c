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

    static final int BATCH = 2;

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
    /** How many receives each batch has: the last one of a region may have fewer than others. */
    private int[] sizes = {};
    private int doneInBatch;
    private int next;

    ReceiveBatches(QueuePair qp) {
        this.qp = qp;
    }

    /** Posts all of a region, behind those that are posted. */
    void add(LinkRegion region) {
        int count = batches.length;
        int before = memory.length;
        int more = region.receives();
        memory = Arrays.copyOf(memory, before + more);
        offsets = Arrays.copyOf(offsets, before + more);
        PostReceive[] all = new PostReceive[count + (more + BATCH - 1) / BATCH];
        int[] allSizes = new int[all.length];
        for (int i = 0; i < count; i++) {
            all[i] = batches[(next + i) % count];
            allSizes[i] = sizes[(next + i) % count];
        }
        for (int i = count, first = 0; first < more; i++, first += BATCH) {
            ReceiveRequest[] requests = new ReceiveRequest[Math.min(BATCH, more - first)];
            for (int j = 0; j < requests.length; j++) {
                int number = before + first + j;
                memory[number] = region.memory();
                offsets[number] = region.receiveOffset(first + j);
                requests[j] = region.receive(first + j, number);
            }
            allSizes[i] = requests.length;
            all[i] = qp.prepareReceive(requests);
            all[i].execute();
        }
        batches = all;
        sizes = allSizes;
        next = 0;
    }

    /** Returns how many receives there are. */
    int count() {
        return memory.length;
    }

    /** Returns how many receives there are, for so many messages that may come before any is taken. */
    static int count(int messages) {
        return messages + SLACK;
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
        if (++doneInBatch == sizes[next]) {
            doneInBatch = 0;
            batches[next].execute();
            next = next + 1 == batches.length ? 0 : next + 1;
        }
    }
}
