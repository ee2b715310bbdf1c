package org.jvrpc.mlx5;

import java.nio.ByteBuffer;

/** The producer's side of a receive ring. Posted to by one thread, completed by one. */
final class ReceiveQueue {

    private final ByteBuffer memory;
    private final int ring;
    private final int mask;
    private final int stride;
    private final int record;
    private final long[] wrIds;
    private volatile int head;
    private volatile int tail;

    ReceiveQueue(QueueMemory queue) {
        this.memory = queue.memory();
        this.ring = queue.ring();
        this.mask = queue.entries() - 1;
        this.stride = queue.stride();
        this.record = queue.record();
        this.wrIds = new long[queue.entries()];
    }

    boolean isFull() {
        return head - tail > mask;
    }

    int stride() {
        return stride;
    }

    int entries() {
        return mask + 1;
    }

    /**
     * Copies a WQE to the head of the ring, which has room. A slot that holds the same bytes from an earlier lap is not
     * written, so that the peer's copy of its cache line stays good.
     */
    void write(byte[] template, int offset, long wrId) {
        int index = head & mask;
        wrIds[index] = wrId;
        int at = ring + index * stride;
        for (int i = 0; i < stride; i += 8) {
            if (!BigEndian.equalRaw(memory, at + i, template, offset + i)) {
                BigEndian.putRaw(memory, at + i, template, offset + i);
            }
        }
        head = head + 1;
    }

    /** Publishes everything written; the initiator reads the counter with acquire. */
    void ring() {
        BigEndian.putIntRelease(memory, record + DoorbellRecord.RECEIVE, head & DoorbellRecord.COUNTER_MASK);
    }

    /** Returns the id of the WQE at a 16-bit counter. */
    long wrId(int counter) {
        return wrIds[counter & mask];
    }

    /** Takes back the WQE at a 16-bit counter; false when it was taken back before, or was never posted. */
    boolean complete(int counter) {
        int done = tail;
        int distance = counter - done & 0xffff;
        if (distance >= head - done) {
            return false;
        }
        tail = done + distance + 1;
        return true;
    }

    /** Returns the counter of the oldest WQE that is not complete, or -1. */
    int oldest() {
        return tail == head ? -1 : tail & 0xffff;
    }

    int offsetOf(int counter) {
        return ring + (counter & mask) * stride;
    }

    ByteBuffer memory() {
        return memory;
    }
}
