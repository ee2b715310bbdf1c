package org.jvrpc.runtime.memory;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.jvrpc.api.RpcException;
import org.jvrpc.api.Status;
import org.jvrpc.runtime.session.Link;
import org.jvrpc.runtime.session.Protocol;
import org.jvrpc.runtime.session.RpcHeader;
import org.jvrpc.runtime.session.SessionBudget;

/**
 * The memory of a link's slots, each of them a frame that is ready to be sent but for its header and its length. It may
 * grow. One thread, but for what is said to be for any.
 */
public final class SlotFrames {

    /** A body begins at a multiple of 8, and the frame with its last 4 bytes before that of the header. */
    public static final int LENGTH_AT = 4;
    public static final int HEADER_AT = LENGTH_AT + Integer.BYTES;
    public static final int BODY_AT = HEADER_AT + RpcHeader.BYTES;
    /** What a session's side has besides: buffers of the kernel are its own affair. */
    private static final int OTHER_BYTES = 2048;

    private final SessionBudget.Share share;
    private final int slotBytes;
    private final int mostSlots;
    private final ByteBuffer[] frames;
    private volatile int slots;
    private boolean closed;

    /**
     * Makes those of the first slots, and of control messages behind the most.
     *
     * @param share what further ones are paid from; null for a client
     */
    public SlotFrames(SessionBudget.Share share, int firstSlots, int mostSlots, int slotBytes) {
        this.share = share;
        this.slotBytes = slotBytes;
        this.mostSlots = mostSlots;
        this.frames = new ByteBuffer[mostSlots + Protocol.CONTROLS];
        add(allocate(firstSlots, slotBytes));
        System.arraycopy(allocate(Protocol.CONTROLS, 0), 0, frames, mostSlots, Protocol.CONTROLS);
    }

    /** Returns what slots, and a session besides what it reads into, take of memory, in bytes. */
    public static long bytes(int units, int most, int unitBytes) {
        return (long) units * stride(unitBytes) + OTHER_BYTES + (long) most * Long.BYTES;
    }

    private static int stride(int slotBytes) {
        return BODY_AT + slotBytes + Long.BYTES - 1 & -Long.BYTES;
    }

    private static ByteBuffer[] allocate(int count, int slotBytes) {
        ByteBuffer[] made = new ByteBuffer[count];
        int stride = stride(slotBytes);
        ByteBuffer memory = ByteBuffer.allocateDirect(count * stride);
        for (int i = 0; i < count; i++) {
            made[i] = memory.slice(i * stride, BODY_AT + slotBytes).order(ByteOrder.LITTLE_ENDIAN);
        }
        return made;
    }

    private void add(ByteBuffer[] more) {
        System.arraycopy(more, 0, frames, slots, more.length);
        slots += more.length;
    }

    /** Returns the number of the first slot of control messages. */
    public int controls() {
        return mostSlots;
    }

    /** Returns the memory of a slot's body. */
    public ByteBuffer body(int slot) {
        ByteBuffer frame = frames[slot].duplicate().clear();
        return frame.slice(BODY_AT, frame.capacity() - BODY_AT).order(ByteOrder.LITTLE_ENDIAN);
    }

    /** Returns the slot's frame, all of it; a body begins at {@link #BODY_AT}. */
    public ByteBuffer frame(int slot) {
        return frames[slot].clear();
    }

    /** Returns the frame of a slot's message, from its position to its limit: its length:32, header and body. */
    public ByteBuffer message(int slot, long first, long second, int bodyLength) {
        ByteBuffer frame = frames[slot];
        frame.clear().putInt(LENGTH_AT, RpcHeader.BYTES + bodyLength)
                .putLong(HEADER_AT, first).putLong(HEADER_AT + Long.BYTES, second);
        return frame.limit(BODY_AT + bodyLength).position(LENGTH_AT);
    }

    /** Frames that are made and of no use yet. */
    private final class More implements Link.Growth {

        private final ByteBuffer[] made;
        private final long bytes;

        More(ByteBuffer[] made, long bytes) {
            this.made = made;
            this.bytes = bytes;
        }

        @Override
        public void close() {
            if (share != null) {
                share.giveSlots(bytes);
            }
        }
    }

    /** See {@link Link#prepare}. Any thread. */
    public Link.Growth prepare(int wanted) {
        int count = wanted - slots;
        long bytes = (long) count * stride(slotBytes);
        if (share != null) {
            share.takeSlots(bytes);
        }
        try {
            return new More(allocate(count, slotBytes), bytes);
        } catch (OutOfMemoryError e) {
            if (share != null) {
                share.giveSlots(bytes);
            }
            throw new RpcException(Status.RESOURCE_EXHAUSTED, "no memory for slots=" + wanted + ": " + e.getMessage(),
                    e);
        }
    }

    /** See {@link Link#grow}. */
    public void grow(Link.Growth growth) {
        if (closed) {
            growth.close();
        } else {
            add(((More) growth).made);
        }
    }

    public void close() {
        closed = true;
    }
}
