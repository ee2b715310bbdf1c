package org.jvrpc.softrnic.queue;

import java.nio.ByteBuffer;
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
}
