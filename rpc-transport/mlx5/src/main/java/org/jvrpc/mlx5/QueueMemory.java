package org.jvrpc.mlx5;

import java.nio.ByteBuffer;

/**
 * Where a ring and its doorbell record lie.
 *
 * @param memory holds the ring
 * @param ring offset of the ring in bytes, a multiple of 64
 * @param entries number of entries, a power of two: blocks of an SQ, WQEs of an RQ, CQEs of a CQ
 * @param stride bytes of an entry
 * @param records holds the doorbell record; the same memory, or another, as with a card
 * @param record offset of the 8 bytes of the doorbell record
 */
public record QueueMemory(ByteBuffer memory, int ring, int entries, int stride, ByteBuffer records, int record) {

    /** Checks the values. */
    public QueueMemory {
        if (Integer.bitCount(entries) != 1 || (ring | record) < 0
                || ring + (long) entries * stride > memory.capacity() || record > records.capacity() - 4) {
            throw new IllegalArgumentException("ring does not fit: ring=" + ring + " entries=" + entries + " stride="
                    + stride + " capacity=" + memory.capacity() + " record=" + record + " capacity of records="
                    + records.capacity());
        }
    }

    /** A ring and a record in the same memory. */
    public QueueMemory(ByteBuffer memory, int ring, int entries, int stride, int record) {
        this(memory, ring, entries, stride, memory, record);
    }
}
