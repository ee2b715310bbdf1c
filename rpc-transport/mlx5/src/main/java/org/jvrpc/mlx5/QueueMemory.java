package org.jvrpc.mlx5;

import java.nio.ByteBuffer;

/**
 * Where a ring and its doorbell record lie.
 *
 * @param memory holds both
 * @param ring offset of the ring in bytes, a multiple of 64
 * @param entries number of entries, a power of two: blocks of an SQ, WQEs of an RQ, CQEs of a CQ
 * @param stride bytes of an entry
 * @param record offset of the 8 bytes of the doorbell record
 */
public record QueueMemory(ByteBuffer memory, int ring, int entries, int stride, int record) {

    /** Checks the values. */
    public QueueMemory {
        if (Integer.bitCount(entries) != 1 || (ring | record) < 0 || ring + entries * stride > memory.capacity()) {
            throw new IllegalArgumentException("ring does not fit: ring=" + ring + " entries=" + entries + " stride="
                    + stride + " record=" + record + " capacity=" + memory.capacity());
        }
    }
}
