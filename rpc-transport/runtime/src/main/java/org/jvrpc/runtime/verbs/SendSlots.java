package org.jvrpc.runtime.verbs;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.jvrpc.verbs.PostSend;
import org.jvrpc.verbs.QueuePair;

/**
 * The send slots of a link: each has a header, a body, and a prepared SEND of the two. Those of control messages, which
 * most links send none of, are prepared when they are first used. One thread.
 */
final class SendSlots {

    private static final VarHandle LONG =
            MethodHandles.byteBufferViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

    private final QueuePair qp;
    private final PostSend[] sends;
    /** Where the header and the body of each slot lie. */
    private final ByteBuffer[] memory;
    private final int[] headers;
    private final int[] bodies;
    /** The region of control messages, and the number that its first slot would have. */
    private LinkRegion controls;
    private int controlsFirst;

    /** @param most how many slots there may be, those of control messages included */
    SendSlots(QueuePair qp, int most) {
        this.qp = qp;
        this.sends = new PostSend[most];
        this.memory = new ByteBuffer[most];
        this.headers = new int[most];
        this.bodies = new int[most];
    }

    /**
     * Adds the slots of a region.
     *
     * @param first number of the first one
     * @param control number of the first for control messages
     */
    void add(LinkRegion region, int first, int control) {
        for (int i = 0; i < region.slots() + region.controls(); i++) {
            int number = i < region.slots() ? first + i : control + i - region.slots();
            memory[number] = region.memory();
            headers[number] = LinkRegion.headerOffset(i);
            bodies[number] = region.bodyOffset(i);
            if (i < region.slots()) {
                sends[number] = qp.prepareSend(region.send(i, number));
            }
        }
        if (region.controls() > 0) {
            controls = region;
            controlsFirst = control - region.slots();
        }
    }

    private PostSend send(int slot) {
        PostSend send = sends[slot];
        return send != null ? send : prepare(slot);
    }

    private PostSend prepare(int slot) {
        sends[slot] = qp.prepareSend(controls.send(slot - controlsFirst, slot));
        return sends[slot];
    }

    ByteBuffer memory(int slot) {
        return memory[slot];
    }

    int bodyOffset(int slot) {
        return bodies[slot];
    }

    /** Has the device deliver a slot's message at once; false, with nothing done, when it cannot. */
    boolean push(int slot, long first, long second, int bodyLength) {
        return send(slot).push(first, second, bodyLength);
    }

    /** As above, of a body whose first bytes lie in the slot, and the others elsewhere. */
    boolean push(int slot, long first, long second, int head, ByteBuffer rest, int at, int length) {
        return send(slot).push(first, second, head, rest, at, length);
    }

    /** Writes what a slot's next post sends before its body. */
    void write(int slot, long first, long second, int bodyLength) {
        LONG.set(memory[slot], headers[slot], first);
        LONG.set(memory[slot], headers[slot] + 8, second);
        send(slot).length(0, 1, bodyLength);
    }

    /** Posts a slot's message; false when the send queue has no room. */
    boolean post(int slot) {
        return send(slot).execute() == 1;
    }

    /** As {@link #post}, with a completion that has this number. */
    boolean postSignalled(int slot, long number) {
        PostSend send = send(slot);
        boolean executed = send.signalled(0, true).wrId(0, number).execute() == 1;
        send.signalled(0, false);
        return executed;
    }
}
