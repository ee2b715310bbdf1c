package org.jvrpc.softrnic.queue;

import java.nio.ByteBuffer;
import org.jvrpc.softrnic.memory.AddressSpace;
import org.jvrpc.softrnic.memory.Slab;
import org.jvrpc.verbs.QueuePairState;

/**
 * What the driver of a queue reads of its context where the context that counts lies elsewhere: it is written to the
 * owner's copy, and never read back, as the owner may write there what it likes. Any thread.
 */
public final class Mirror {

    private Mirror() {
    }

    /** Tells a QP's owner its state. @param at where the owner's copy of the context lies */
    public static void state(ByteBuffer memory, int at, QueuePairState state) {
        QpContext.mirror(memory, at, state);
    }

    /** Moves a QP to ERR, and tells its owner where that has a copy of the context in an address space. */
    public static void fail(AddressSpace space, ByteBuffer memory, int at) {
        QpContext.fail(memory, at);
        long owner = QpContext.owner(memory, at);
        Slab slab = owner == 0 ? null : space.find(owner, QpContext.BYTES);
        if (slab != null && QpContext.BYTES <= Slab.untilWindowEnd(owner)) {
            QpContext.mirror(slab.window(owner), Slab.index(owner), QueuePairState.ERR);
        }
    }
}
