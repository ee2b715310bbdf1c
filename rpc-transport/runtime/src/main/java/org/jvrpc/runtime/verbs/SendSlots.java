package org.jvrpc.runtime.verbs;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.jvrpc.runtime.session.RpcHeader;
import org.jvrpc.verbs.MemoryRegion;
import org.jvrpc.verbs.PostSend;
import org.jvrpc.verbs.QueuePair;
import org.jvrpc.verbs.SendRequest;
import org.jvrpc.verbs.Sge;

/** The send slots of a link: each has a header, a body, and a prepared SEND of the two. One thread. */
final class SendSlots {

    private static final VarHandle LONG =
            MethodHandles.byteBufferViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

    private final ByteBuffer memory;
    private final PostSend[] sends;

    /** @param memory of the region, which begins with the headers */
    SendSlots(QueuePair qp, MemoryRegion mr, ByteBuffer memory, int count, int slotBytes) {
        this.memory = memory;
        this.sends = new PostSend[count];
        for (int i = 0; i < count; i++) {
            sends[i] = qp.prepareSend(SendRequest.send(i,
                    Sge.of(mr, (long) i * LinkLayout.HEADER_STRIDE, RpcHeader.BYTES),
                    Sge.of(mr, LinkLayout.body(count, slotBytes, i), slotBytes)));
        }
    }

    /** Has the device deliver a slot's message at once; false, with nothing done, when it cannot. */
    boolean push(int slot, long first, long second, int bodyLength) {
        return sends[slot].push(first, second, bodyLength);
    }

    /** Writes what a slot's next post sends before its body. */
    void write(int slot, long first, long second, int bodyLength) {
        int header = slot * LinkLayout.HEADER_STRIDE;
        LONG.set(memory, header, first);
        LONG.set(memory, header + 8, second);
        sends[slot].length(0, 1, bodyLength);
    }

    /** Posts a slot's message; false when the send queue has no room. */
    boolean post(int slot) {
        return sends[slot].execute() == 1;
    }

    /** As {@link #post}, with a completion that has this number. */
    boolean postSignalled(int slot, long number) {
        boolean executed = sends[slot].signalled(0, true).wrId(0, number).execute() == 1;
        sends[slot].signalled(0, false);
        return executed;
    }
}
