package org.jvrpc.ibverbs.rxe;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.jvrpc.ibverbs.core.LkeyTable;
import org.jvrpc.ibverbs.core.QpChange;
import org.jvrpc.ibverbs.core.QpHandle;
import org.jvrpc.ibverbs.core.QpStates;
import org.jvrpc.verbs.CompletionQueue;
import org.jvrpc.verbs.PostSend;
import org.jvrpc.verbs.QueuePairAttributes;
import org.jvrpc.verbs.SendRequest;
import org.jvrpc.verbs.WorkCompletion;

/**
 * The send queue of an RC QP over plain memory, with the driver's own code: its doorbell counts, and has everything
 * complete at once. There is no device and no native code, so this measures what posting itself costs. One thread.
 */
public final class MemoryQueue {

    private static final int LOG2_BYTES = 9;
    private static final int MOST_SGES = 4;

    private final RxeQueuePair qp;
    private final RxeSendQueue sends;
    private long rings;
    private int head;

    /** A queue of a depth, a power of two, for sends of at most 4 SGEs. */
    public MemoryQueue(int depth) {
        ByteBuffer ring = ByteBuffer.allocateDirect(RxeQueue.BYTES + (2 * depth << LOG2_BYTES) + 64).alignedSlice(64)
                .order(ByteOrder.nativeOrder());
        ring.putInt(RxeQueue.LOG2_ELEM_SIZE, LOG2_BYTES).putInt(RxeQueue.INDEX_MASK, 2 * depth - 1);
        sends = new RxeSendQueue(new RxeQueue(ring), 1, depth, this::ring);
        qp = qp(sends, 0);
    }

    /** Returns a QP without a device that may send by a queue. */
    static RxeQueuePair qp(RxeSendQueue sends, int maxInline) {
        QueuePairAttributes attributes = new QueuePairAttributes(new NoCq(), new NoCq())
                .depth(sends.capacity(), 1).sges(MOST_SGES, 1).inline(maxInline);
        RxeQueuePair qp = new RxeQueuePair(
                null, null, attributes, 1, new QpStates(null, new NoHandle(), attributes), sends, null);
        qp.stateChanged();
        return qp;
    }

    private boolean ring() {
        rings++;
        return true;
    }

    /** Makes a stateful verb call. */
    public PostSend prepareSend(SendRequest... requests) {
        return new RxePostSend(qp, sends, new LkeyTable(), requests);
    }

    /** Has so many more sends complete, as polling for them would. */
    public void complete(int count) {
        head += count;
        sends.complete(head - 1);
    }

    /** Returns how often the doorbell was rung. */
    public long rings() {
        return rings;
    }

    private static final class NoHandle implements QpHandle {

        @Override
        public int number() {
            return 1;
        }

        @Override
        public void modify(QpChange change) {
            throw new UnsupportedOperationException();
        }

        @Override
        public int queryState() {
            throw new UnsupportedOperationException();
        }

        @Override
        public void destroy() {
            // there is nothing
        }
    }

    private static final class NoCq implements CompletionQueue {

        @Override
        public boolean poll(WorkCompletion wc) {
            return false;
        }

        @Override
        public void arm() {
            // nobody waits
        }

        @Override
        public void disarm() {
            // nobody waits
        }

        @Override
        public int depth() {
            return 1;
        }

        @Override
        public int number() {
            return 0;
        }

        @Override
        public void close() {
            // there is nothing
        }
    }
}
