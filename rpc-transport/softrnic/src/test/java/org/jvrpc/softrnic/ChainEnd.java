package org.jvrpc.softrnic;

import java.nio.ByteBuffer;
import org.jvrpc.mlx5.Mlx5QueuePair;
import org.jvrpc.verbs.Access;
import org.jvrpc.verbs.Chains;
import org.jvrpc.verbs.CompletionQueue;
import org.jvrpc.verbs.CompletionQueueAttributes;
import org.jvrpc.verbs.Device;
import org.jvrpc.verbs.MemoryRegion;
import org.jvrpc.verbs.ProtectionDomain;
import org.jvrpc.verbs.QueuePairAttributes;

/** A domain whose cross-channel queues are connected to themselves, with memory, for tests of chains. */
final class ChainEnd implements AutoCloseable {

    static final int ALL = Access.LOCAL_WRITE | Access.REMOTE_READ | Access.REMOTE_WRITE | Access.REMOTE_ATOMIC;
    private static final int MEMORY = 8192;

    final Device device;
    final ProtectionDomain pd;
    final MemoryRegion mr;
    final ByteBuffer memory;
    final Chains chains;

    ChainEnd(Device device) {
        this.device = device;
        this.pd = device.allocatePd();
        this.mr = pd.allocate(MEMORY, ALL);
        this.memory = mr.buffer(0, MEMORY);
        this.chains = pd.chains();
    }

    /** A queue with its CQ and its ring as memory. */
    static final class Queue {
        final Mlx5QueuePair qp;
        final CompletionQueue cq;
        final MemoryRegion code;

        Queue(Mlx5QueuePair qp, CompletionQueue cq, MemoryRegion code) {
            this.qp = qp;
            this.cq = cq;
            this.code = code;
        }

        /** Writes WQEs from a block on; returns the block after the last. */
        int load(int block, Code... codes) {
            long[] words = Code.words(qp, block, codes);
            qp.load(block, words);
            return block + words.length / 8;
        }

        /** Posts WQEs with one doorbell for each. */
        void post(Code... codes) {
            for (Code code : codes) {
                if (!qp.post(0, Code.words(qp, 0, code))) {
                    throw new AssertionError("queue is full");
                }
            }
        }

        long at(int block) {
            return code.address() + 64L * block;
        }
    }

    /** Makes a queue of so many blocks that is not connected. */
    Queue queue(int blocks, boolean managed, boolean managedReceive, boolean checked) {
        CompletionQueue cq = device.createCq(CompletionQueueAttributes.ofChains(64));
        QueuePairAttributes attributes = new QueuePairAttributes(cq, cq)
                .crossChannel(true)
                .managed(managed, managedReceive)
                .checked(checked)
                .depth(blocks, 16)
                .sges(1, 16);
        Mlx5QueuePair qp = (Mlx5QueuePair) pd.createQp(attributes);
        qp.init();
        return new Queue(qp, cq, qp.registerSendRing(pd, ALL));
    }

    /** Makes a queue that is connected to itself. */
    Queue loopback(int blocks, boolean managed, boolean checked) {
        Queue queue = queue(blocks, managed, false, checked);
        queue.qp.connect(queue.qp.endpoint());
        return queue;
    }

    Code.Piece piece(int offset, int length) {
        return new Code.Piece(mr.address() + offset, length, mr.lkey());
    }

    static Code.Piece piece(Queue queue, int block, int offset, int length) {
        return new Code.Piece(queue.at(block) + offset, length, queue.code.lkey());
    }

    @Override
    public void close() {
        device.close();
    }
}
