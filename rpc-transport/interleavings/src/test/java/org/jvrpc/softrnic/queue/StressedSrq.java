package org.jvrpc.softrnic.queue;

import java.nio.ByteBuffer;
import org.jvrpc.interleavings.Places;
import org.jvrpc.mlx5.BigEndian;
import org.jvrpc.mlx5.DoorbellRecord;
import org.jvrpc.mlx5.SharedReceiveWqe;
import org.jvrpc.softrnic.memory.Slab;

/** An SRQ of four WQEs, without its driver: they follow each other, and some are posted. */
final class StressedSrq {

    private static final int ENTRIES = 4;
    private static final int STRIDE = 32;
    private static final Places PLACES = new Places(SrqContext.ring(ENTRIES) + ENTRIES * STRIDE);

    final ByteBuffer memory = PLACES.memory();
    final int context;
    private final long address = PLACES.take();

    StressedSrq(int posted) {
        context = Slab.index(address);
        SrqContext.write(memory, context, 1, 1, ENTRIES, STRIDE);
        for (int i = 0; i < ENTRIES; i++) {
            int wqe = context + SrqContext.ring(ENTRIES) + i * STRIDE;
            BigEndian.putShort(memory, wqe + SharedReceiveWqe.NEXT, i + 1 & ENTRIES - 1);
        }
        BigEndian.putIntRelease(memory, context + SrqContext.RECORD + DoorbellRecord.RECEIVE, posted);
    }

    SharedReceives receives() {
        return new SharedReceives(PLACES, address);
    }

    int taken() {
        return SrqContext.taken(SrqContext.state(memory, context));
    }

    /** Returns for which QP a WQE was taken. */
    int qpn(int index) {
        return SrqContext.qpn(SrqContext.owner(memory, context, index));
    }
}
