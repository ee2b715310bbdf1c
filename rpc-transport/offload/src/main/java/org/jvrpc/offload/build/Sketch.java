package org.jvrpc.offload.build;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.jvrpc.mlx5.Wqe;
import org.jvrpc.offload.queue.ChainCq;
import org.jvrpc.offload.queue.ChainQueue;
import org.jvrpc.verbs.Access;
import org.jvrpc.verbs.MemoryRegion;

/**
 * Queues and memory of no device, with the same addresses, keys and numbers in each run, so that programs can be listed
 * and drawn without one. One thread.
 */
public final class Sketch {

    private static final int FIRST_QPN = 0x11;

    private final boolean prefetches;
    private int regions;
    private int queues;

    /** Begins with nothing. The device would fetch a WQE of a managed queue when it executes it. */
    public Sketch() {
        this(false);
    }

    /** The same. @param prefetches see {@link ChainQueue#prefetches()} */
    public Sketch(boolean prefetches) {
        this.prefetches = prefetches;
    }

    /** Returns whether its managed queues prefetch. */
    public boolean prefetches() {
        return prefetches;
    }

    /** Memory of so many bytes, with all rights. */
    public MemoryRegion memory(int bytes) {
        regions++;
        return new Region((long) regions << 20, bytes, regions << 8);
    }

    /** A managed queue of so many blocks, a power of two, with CQs of its own. */
    public ChainQueue managed(String name, int blocks) {
        return queue(name, blocks, memory(blocks * Wqe.BLOCK));
    }

    /** An unmanaged queue. */
    public ChainQueue unmanaged(String name, int blocks) {
        return queue(name, blocks, null);
    }

    private ChainQueue queue(String name, int blocks, MemoryRegion code) {
        int number = queues++;
        ChainCq send = new ChainCq(name + ".cq", 2 * number + 1, 0);
        ChainCq receive = new ChainCq(name + ".rcq", 2 * number + 2, 0);
        return ChainQueue.sketch(name, FIRST_QPN + number, blocks, code, send, receive)
                .prefetching(code != null && prefetches);
    }

    private static final class Region implements MemoryRegion {
        private final long address;
        private final ByteBuffer bytes;
        private final int key;

        Region(long address, int length, int key) {
            this.address = address;
            this.bytes = ByteBuffer.allocate(length);
            this.key = key;
        }

        @Override
        public long address() {
            return address;
        }

        @Override
        public long length() {
            return bytes.capacity();
        }

        @Override
        public int lkey() {
            return key;
        }

        @Override
        public int rkey() {
            return key | 1;
        }

        @Override
        public int access() {
            return Access.LOCAL_WRITE | Access.REMOTE_READ | Access.REMOTE_WRITE | Access.REMOTE_ATOMIC;
        }

        @Override
        public ByteBuffer buffer(long offset, int length) {
            return bytes.slice((int) offset, length).order(ByteOrder.LITTLE_ENDIAN);
        }

        @Override
        public void close() {
            // there is nothing to give back
        }
    }
}
