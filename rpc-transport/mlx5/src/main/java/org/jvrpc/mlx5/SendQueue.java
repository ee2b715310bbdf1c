package org.jvrpc.mlx5;

import java.nio.ByteBuffer;

/** The producer's side of a send ring. One thread. */
final class SendQueue {

    private final ByteBuffer memory;
    private final int ring;
    private final int mask;
    private final int record;
    private final Doorbell doorbell;
    private final long[] wrIds;
    private final byte[] blocks;
    private int head;
    private int tail;

    SendQueue(QueueMemory queue, Doorbell doorbell) {
        this.memory = queue.memory();
        this.ring = queue.ring();
        this.mask = queue.entries() - 1;
        this.record = queue.record();
        this.doorbell = doorbell;
        this.wrIds = new long[queue.entries()];
        this.blocks = new byte[queue.entries()];
    }

    /** Takes blocks, or returns false when the ring is full. */
    boolean hasRoom(int count) {
        return head - tail + count <= mask + 1;
    }

    int head() {
        return head;
    }

    int entries() {
        return mask + 1;
    }

    /** Copies a WQE to the head of the ring, which has room. */
    void write(byte[] template, int offset, int bytes, int blockCount, long wrId) {
        int index = head & mask;
        wrIds[index] = wrId;
        blocks[index] = (byte) blockCount;
        int at = ring + index * Wqe.BLOCK;
        int untilWrap = Math.min(bytes, (mask + 1 - index) * Wqe.BLOCK);
        for (int i = 0; i < untilWrap; i += 8) {
            BigEndian.putRaw(memory, at + i, template, offset + i);
        }
        for (int i = untilWrap; i < bytes; i += 8) {
            BigEndian.putRaw(memory, ring + i - untilWrap, template, offset + i);
        }
        head += blockCount;
    }

    /** Publishes everything written and rings the doorbell. */
    void ring() {
        BigEndian.putIntRelease(memory, record + DoorbellRecord.SEND, head & DoorbellRecord.COUNTER_MASK);
        doorbell.ring(head);
    }

    /** Returns the id of the WQE at a 16-bit counter. */
    long wrId(int counter) {
        return wrIds[counter & mask];
    }

    /** Takes back everything up to and with the WQE at a 16-bit counter. */
    void complete(int counter) {
        int distance = counter - tail & 0xffff;
        if (distance < head - tail) {
            tail += distance + blocks[counter & mask];
        }
    }
}
