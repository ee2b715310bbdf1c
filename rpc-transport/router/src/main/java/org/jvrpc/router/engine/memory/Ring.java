package org.jvrpc.router.engine.memory;

import java.nio.ByteBuffer;
import org.jvrpc.mlx5.Wqe;

/** A tenant's send ring, of which WQEs are copied before they are looked at. The worker's thread. */
public final class Ring {

    private final ByteBuffer memory;
    private final int start;
    private final int entries;

    /** @param start offset in its memory */
    public Ring(ByteBuffer memory, int start, int entries) {
        this.memory = memory;
        this.start = start;
        this.entries = entries;
    }

    public int entries() {
        return entries;
    }

    /** Copies a block, which is counted from 0 on, to an offset. */
    public void copy(int block, ByteBuffer to, int at) {
        to.put(at, memory, start + (block & entries - 1) * Wqe.BLOCK, Wqe.BLOCK);
    }
}
