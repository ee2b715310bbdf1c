package org.jvrpc.runtime.session;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * Short messages that leave as one, see {@link RpcHeader#MORE}: the first lies in its slot's memory, the others are
 * written behind it. One thread.
 */
public final class Packed {

    private static final VarHandle LONG =
            MethodHandles.byteBufferViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    private static final int HALF = 8;
    /** What a message has that lies in its CQE. */
    private static final int MOST_BYTES = 96 - RpcHeader.BYTES;
    /** Behind a body of so many bytes there is room for another message, if only for one without a body. */
    public static final int LONGEST_FIRST = MOST_BYTES - RpcHeader.BYTES;

    /** No message has more, as each has a header. */
    public static final int MOST = 1 + MOST_BYTES / RpcHeader.BYTES;

    private ByteBuffer memory;
    private long first;
    private long second;
    private int end;
    /** Where the header of the last message lies behind the first one's body; -1 for the first itself. */
    private int last;
    private long lastHead;

    /** Begins with a message whose body lies in its slot's memory. */
    public void begin(ByteBuffer slot, long head, long lengths, int length) {
        if (memory != slot) { // a store of a reference costs the collector's barrier
            memory = slot;
        }
        first = head;
        second = lengths;
        end = length;
        last = -1;
    }

    /** Puts another message behind those that are there; false where it finds no room. */
    public boolean append(ByteBuffer slot, long head, long lengths, int length) {
        int at = RpcHeader.follower(end);
        if (length > MOST_BYTES - RpcHeader.BYTES - at) {
            return false;
        }
        if (last < 0) {
            first = RpcHeader.withMore(first);
        } else {
            LONG.set(memory, last, RpcHeader.withMore(lastHead));
        }
        LONG.set(memory, at, head);
        LONG.set(memory, at + HALF, lengths);
        for (int i = 0; i < length; i += HALF) { // no slot is shorter than that
            LONG.set(memory, at + RpcHeader.BYTES + i, (long) LONG.get(slot, i));
        }
        last = at;
        lastHead = head;
        end = at + RpcHeader.BYTES + length;
        return true;
    }

    /** Returns true when no other message finds room. */
    public boolean isFull() {
        return end > LONGEST_FIRST;
    }

    /** Returns the header of the message, whose body lies in the first one's slot. */
    public long first() {
        return first;
    }

    public long second() {
        return second;
    }

    /** Returns the length of what lies in the first one's slot. */
    public int length() {
        return end;
    }
}
