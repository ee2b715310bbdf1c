package org.jvrpc.softrnic.queue;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.jvrpc.mlx5.BigEndian;
import org.jvrpc.mlx5.Cqe;
import org.jvrpc.softrnic.memory.Slab;

/** A CQ of eight entries, written by hand, and producers of it. */
abstract class CqFixture {

    static final int ENTRIES = 8;
    static final int QPN = 0x123456;
    static final int AT = 128;

    /** Who feeds the CQ. */
    enum Kind {
        SHARED, EXCLUSIVE, CROSS_CHANNEL
    }

    ByteBuffer memory;
    Slab slab;
    int woken;

    CqWriter make(Kind kind, int cqeBytes, boolean lazy) {
        memory = ByteBuffer.allocateDirect(AT + CqContext.RING + ENTRIES * cqeBytes + 128).alignedSlice(128)
                .order(ByteOrder.LITTLE_ENDIAN);
        slab = Slab.wrap(memory, 2);
        Cqe.initialize(memory, AT + CqContext.RING, ENTRIES, cqeBytes);
        CqContext.write(memory, AT, 77, ENTRIES, cqeBytes, kind == Kind.EXCLUSIVE, kind == Kind.CROSS_CHANNEL);
        return writer(QPN, lazy);
    }

    CqWriter writer(int qpn, boolean lazy) {
        return new CqWriter(slab, slab.base() + AT, qpn, () -> woken++, lazy);
    }

    long tail(int index, int cqeBytes) {
        return BigEndian.getLong(memory, AT + CqContext.RING + index % ENTRIES * cqeBytes + cqeBytes - 8);
    }
}
