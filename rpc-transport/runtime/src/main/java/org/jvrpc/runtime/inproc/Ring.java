package org.jvrpc.runtime.inproc;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.jvrpc.runtime.session.RpcHeader;

/**
 * Messages one way, in order. Each lies in one piece, behind its length, in cache lines of its own:
 *
 * <pre>
 * 0 unused:32 | 4 length:32 of what follows, 0 while there is none, or -1: it lies at the begin | 8 header:128
 * 24 body
 * </pre>
 * One thread at a time sends, and one takes. Positions count all bytes that ever went in. A length is stored last, by a
 * release that the taker's acquiring read finds; that of the next message is 0 by then. The head is released for room.
 */
final class Ring {

    private static final VarHandle WORD = MethodHandles.arrayElementVarHandle(long[].class);
    private static final VarHandle LONG = MethodHandles.byteBufferViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    private static final VarHandle INT = MethodHandles.byteBufferViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);

    private static final int LENGTH_AT = 4;
    private static final int HEADER_AT = 8;
    private static final int WRAP = -1;
    private static final int LINE = 64;
    private static final int LEAST_BYTES = 1 << 14;

    /** Words that are written by one side lie two cache lines from those of the other. */
    private static final int APART = 16;
    private static final int TAIL = APART;
    private static final int HEAD_SEEN = TAIL + 1;
    private static final int HEAD = TAIL + APART;
    private static final int ARMED = HEAD + APART;
    private static final int ROOM_WANTED = ARMED + APART;
    private static final int WORDS = ROOM_WANTED + APART;

    private final long[] words = new long[WORDS];
    private final ByteBuffer memory;
    private final int mask;

    /** @param slotBytes longest body */
    Ring(int slotBytes) {
        int capacity = capacity(slotBytes);
        this.memory = ByteBuffer.allocateDirect(bytes(slotBytes)).alignedSlice(LINE).slice(0, capacity)
                .order(ByteOrder.LITTLE_ENDIAN);
        this.mask = capacity - 1;
    }

    /** Returns how many bytes one takes: those of two messages of the longest at least. */
    static int bytes(int slotBytes) {
        return capacity(slotBytes) + LINE;
    }

    private static int capacity(int slotBytes) {
        int least = 2 * record(RpcHeader.BYTES + slotBytes) + LINE;
        return Math.max(LEAST_BYTES, Integer.highestOneBit(least - 1) << 1);
    }

    private static int record(int length) {
        return HEADER_AT + length + LINE - 1 & -LINE;
    }

    ByteBuffer memory() {
        return memory;
    }

    // ---- the sender

    /** Sends a message, whose body begins at an offset of a buffer; false where there is no room. */
    boolean offer(long first, long second, ByteBuffer body, int at, int bodyLength) {
        long tail = words[TAIL];
        int length = RpcHeader.BYTES + bodyLength;
        int record = record(length);
        int place = (int) tail & mask;
        int toEnd = mask + 1 - place;
        int skipped = record > toEnd ? toEnd : 0;
        if (!hasRoom(tail, skipped + record + LINE)) { // with the length of the next
            return false;
        }
        long next = tail + skipped + record;
        int begin = skipped == 0 ? place : 0;
        LONG.set(memory, begin + HEADER_AT, first);
        LONG.set(memory, begin + HEADER_AT + Long.BYTES, second);
        if (bodyLength > 0) {
            memory.put(begin + HEADER_AT + RpcHeader.BYTES, body, at, bodyLength);
        }
        INT.set(memory, ((int) next & mask) + LENGTH_AT, 0);
        if (skipped != 0) {
            INT.set(memory, LENGTH_AT, length);
        }
        INT.setRelease(memory, place + LENGTH_AT, skipped == 0 ? length : WRAP);
        words[TAIL] = next;
        return true;
    }

    private boolean hasRoom(long tail, int needed) {
        int capacity = mask + 1;
        if (tail + needed - words[HEAD_SEEN] <= capacity) {
            return true;
        }
        words[HEAD_SEEN] = (long) WORD.getAcquire(words, HEAD);
        return tail + needed - words[HEAD_SEEN] <= capacity;
    }

    /** Has the taker say when there is room again. A look behind this finds what room there was before. */
    void wantRoom() {
        WORD.setVolatile(words, ROOM_WANTED, 1L);
        VarHandle.fullFence();
    }

    /** Returns true when the taker is to be woken, once. Behind a full fence that follows what was sent. */
    boolean wakesTaker() {
        return take(ARMED);
    }

    private boolean take(int word) {
        return (long) WORD.getOpaque(words, word) != 0 && (long) WORD.getAndSet(words, word, 0L) != 0;
    }

    // ---- the taker

    /** Returns the offset of the next message, its header first; -1 where there is none. */
    int peek() {
        long head = words[HEAD];
        int place = (int) head & mask;
        int length = (int) INT.getAcquire(memory, place + LENGTH_AT);
        if (length == 0) {
            return -1;
        }
        if (length == WRAP) {
            WORD.setRelease(words, HEAD, head + mask + 1 - place);
            return HEADER_AT;
        }
        return place + HEADER_AT;
    }

    /** Returns the length of the message at an offset that {@link #peek} returned. */
    int length(int offset) {
        return (int) INT.get(memory, offset - HEADER_AT + LENGTH_AT);
    }

    /** Gives the room of the message at hand back, which was so long. */
    void release(int length) {
        WORD.setRelease(words, HEAD, words[HEAD] + record(length));
    }

    /** Returns true when messages lie behind that of so many bytes at hand, or any where there is none at hand. */
    boolean hasBehind(int length) {
        long next = words[HEAD] + (length == 0 ? 0 : record(length));
        return (int) INT.getAcquire(memory, ((int) next & mask) + LENGTH_AT) != 0;
    }

    /** Has the sender wake the taker, once. A look behind this finds what was sent before. */
    void arm() {
        WORD.setVolatile(words, ARMED, 1L);
        VarHandle.fullFence();
    }

    void disarm() {
        if ((long) WORD.getOpaque(words, ARMED) != 0) {
            WORD.setOpaque(words, ARMED, 0L);
        }
    }

    /**
     * Returns true when the sender is to be woken for room, once. Behind a full fence that follows the last release.
     */
    boolean wakesSender() {
        return take(ROOM_WANTED);
    }
}
