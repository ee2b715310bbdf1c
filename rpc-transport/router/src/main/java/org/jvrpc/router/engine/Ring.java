package org.jvrpc.router.engine;

import java.nio.ByteBuffer;
import org.jvrpc.mlx5.Wqe;

/** A tenant's send ring, of which WQEs are copied before they are looked at. The worker's thread. */
final class Ring {

    private final ByteBuffer memory;
    private final int start;
    private final int entries;

    /** @param start offset in its memory */
    Ring(ByteBuffer memory, int start, int entries) {
        this.memory = memory;
        this.start = start;
        this.entries = entries;
    }

    int entries() {
        return entries;
    }

    /** Copies a block, which is counted from 0 on, to an offset. */
    void copy(int block, ByteBuffer to, int at) {
        to.put(at, memory, start + (block & entries - 1) * Wqe.BLOCK, Wqe.BLOCK);
    }
}
