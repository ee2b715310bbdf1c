package org.jvrpc.softrnic.queue;

import java.nio.ByteBuffer;
import org.jvrpc.interleavings.Places;
import org.jvrpc.mlx5.BigEndian;
import org.jvrpc.mlx5.Cqe;
import org.jvrpc.softrnic.memory.Slab;

/** A CQ of two entries, without its driver. */
final class StressedCq {

    static final int ENTRIES = 2;
    private static final Places PLACES = new Places(CqContext.RING + ENTRIES * Cqe.BYTES);

    final ByteBuffer memory = PLACES.memory();
    final int context;
    private final long address = PLACES.take();

    StressedCq(boolean exclusive) {
        context = Slab.index(address);
        Cqe.initialize(memory, context + CqContext.RING, ENTRIES, Cqe.BYTES);
        CqContext.write(memory, context, 1, ENTRIES, Cqe.BYTES, exclusive, false);
    }

    CqWriter writer(int qpn, Runnable wake, boolean lazy) {
        return new CqWriter(PLACES.slab(), address, qpn, 1, wake, lazy);
    }

    int at(int index) {
        return context + CqContext.RING + index * Cqe.BYTES;
    }

    /** Returns which entry begins at an offset. */
    int index(int at) {
        return (at - context - CqContext.RING) / Cqe.BYTES;
    }

    long tail(int index) {
        return BigEndian.getLongAcquire(memory, at(index) + Cqe.TAIL);
    }

    /** Looks at an entry as a poll of the first lap does. */
    boolean isThere(int index) {
        return Cqe.valid(tail(index), 0);
    }
}
