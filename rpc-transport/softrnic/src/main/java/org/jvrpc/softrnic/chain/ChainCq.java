package org.jvrpc.softrnic.chain;

import java.nio.ByteBuffer;
import java.nio.IntBuffer;
import org.jvrpc.softrnic.memory.AddressSpace;
import org.jvrpc.softrnic.memory.Slab;
import org.jvrpc.softrnic.queue.CqContext;

/** A CQ as those who wait for it see it. */
final class ChainCq {

    private static final int COUNT_SHIFT = 8;

    private final IntBuffer produced;
    private final int cqn;

    ChainCq(AddressSpace space, long address) {
        CqContext.checkAlignment(address, "completion queue");
        ByteBuffer memory = space.window(address, CqContext.RING, "completion queue");
        int context = Slab.index(address);
        this.produced = CqContext.producedView(memory, context);
        this.cqn = CqContext.cqn(memory, context);
    }

    int cqn() {
        return cqn;
    }

    /** Returns true when the completion of an index was produced; 24 bits count. */
    boolean has(int index) {
        return produced.get(0) - index - 1 << COUNT_SHIFT >= 0;
    }
}
