package org.jvrpc.runtime.stream;

import java.nio.ByteBuffer;
import org.jvrpc.api.RpcException;
import org.jvrpc.api.Status;
import org.jvrpc.runtime.stream.memory.StreamMemory;

/**
 * What has come of a stream and is not consumed yet, at most a window of bytes. Whoever polls appends to one buffer;
 * the consumer goes through the other one, and changes them when that is at its end.
 */
final class Inflow {

    /** Bytes of the length before an element of which not all are as long. */
    static final int LENGTH_BYTES = 4;

    private final StreamMemory memory;
    private final int window;
    /** Bytes of each element, 0 where they differ, -1 while it is not known. */
    private int fixed;
    // ---- under the monitor
    private ByteBuffer back;
    private int backEnd;
    /** Where the last whole element in the back buffer ends. */
    private int backWhole;
    /** How many bytes the peer may send. */
    private int credit;
    private boolean closed;
    private boolean ended;
    private Throwable failure;
    /** There may be something new for the consumer. */
    private volatile boolean filled;
    // ---- the consumer's
    private ByteBuffer front;
    private int at;
    private int whole;
    /** Bytes that were consumed and not granted again. */
    private int consumed;

    /** @param fixed bytes of each element, 0 where they differ, -1 where that is said later */
    Inflow(StreamMemory memory, int window, int fixed) {
        this.memory = memory;
        this.window = window;
        this.fixed = fixed;
        this.credit = window;
    }

    /**
     * Adds a copy of what came. Whoever polls.
     *
     * @return what is wrong with it, or null
     */
    synchronized String append(ByteBuffer from, int offset, int length) {
        if (closed || ended) {
            return null; // it was on its way
        }
        if (length > credit) {
            return "peer sends more than its window: bytes=" + length + " left=" + credit;
        }
        credit -= length;
        makeRoom(length);
        back.put(backEnd, from, offset, length);
        backEnd += length;
        String wrong = findWhole();
        if (wrong == null && backWhole > 0 && !filled) {
            filled = true;
        }
        return wrong;
    }

    /**
     * Says how long elements are. Before the first of them is consumed; returns what is wrong with what came, or null.
     */
    synchronized String fixed(int bytes) {
        fixed = bytes;
        String wrong = back == null ? null : findWhole();
        filled |= backWhole > 0;
        expectWhole();
        return wrong;
    }

    private void makeRoom(int length) {
        if (back == null) {
            back = memory.take(length);
        } else if (backEnd + length > back.capacity()) {
            ByteBuffer larger = memory.take(backEnd + length);
            larger.put(0, back, 0, backEnd);
            memory.give(back);
            back = larger;
        }
    }

    private String findWhole() {
        if (fixed != 0) {
            backWhole = fixed < 0 ? 0 : backEnd - backEnd % fixed;
            return null;
        }
        while (backEnd - backWhole >= LENGTH_BYTES) {
            int length = back.getInt(backWhole);
            if (length < 0 || length > window - LENGTH_BYTES) {
                return "element is longer than the window: bytes=" + length + " limit=" + (window - LENGTH_BYTES);
            }
            if (backEnd - backWhole - LENGTH_BYTES < length) {
                return null;
            }
            backWhole += LENGTH_BYTES + length;
        }
        return null;
    }

    /** No more comes. @param cause null, or why */
    synchronized void end(Throwable cause) {
        if (!ended) {
            ended = true;
            failure = cause;
            filled = true;
            expectWhole();
        }
    }

    /** What has ended of itself has no part of an element behind the last. */
    private void expectWhole() {
        if (ended && !closed && failure == null && fixed >= 0 && backEnd > backWhole) {
            failure = new RpcException(Status.DATA_LOSS, "the stream ends in the midst of an element: bytes="
                    + (backEnd - backWhole));
        }
    }

    /** Nobody wants what is here or comes. */
    synchronized void close() {
        if (!closed) {
            closed = true;
            filled = true;
            memory.give(back);
            back = null;
            backEnd = 0;
            backWhole = 0;
            memory.leave(front); // its consumer may be at it, and may never come back
        }
    }

    /** Gives all back, as nobody looks at it any more. The consumer. */
    synchronized void release() {
        if (!closed) {
            closed = true;
            memory.give(front);
            memory.give(back);
            back = null;
        }
        front = null;
        at = 0;
        whole = 0;
    }

    /** Returns true when the consumer finds something to do. Any thread. */
    boolean isFilled() {
        return filled;
    }

    // ---- the consumer

    /** Returns true when the next element is at hand, and false when {@link #advance} may find it. */
    boolean isAtHand() {
        return at < whole;
    }

    /** Goes to the next element; false when no whole one has come. */
    boolean advance() {
        return at < whole || filled && change();
    }

    private synchronized boolean change() {
        if (closed) {
            return false;
        }
        if (backWhole == 0) {
            filled = ended;
            return false;
        }
        ByteBuffer next = back;
        int tail = backEnd - backWhole;
        ByteBuffer spare = front;
        if (tail > 0) {
            if (spare == null || spare.capacity() < tail) {
                spare = memory.take(tail); // or all is as before
                memory.give(front);
            }
            spare.put(0, next, backWhole, tail);
        }
        back = spare;
        front = next;
        at = 0;
        whole = backWhole;
        backEnd = tail;
        backWhole = 0;
        filled = ended;
        return true;
    }

    /** Returns where the elements lie. */
    ByteBuffer front() {
        return front;
    }

    /** Returns where the next one lies; it is consumed. Each of the fixed length. */
    int take() {
        int taken = at;
        at = taken + fixed;
        if (at == whole) {
            consumed += whole;
        }
        return taken;
    }

    /** Returns how long the next one is, which lies at {@link #takeAny}. */
    int length() {
        return fixed > 0 ? fixed : front.getInt(at);
    }

    /** As {@link #take}, of any length. */
    int takeAny(int length) {
        int head = fixed > 0 ? 0 : LENGTH_BYTES;
        int taken = at + head;
        at = taken + length;
        if (at == whole) {
            consumed += whole;
        }
        return taken;
    }

    /** Returns how much is to be granted to the peer, if it is much, or all where that is asked for. */
    int takeGrant(boolean all) {
        if (consumed == 0 || !all && consumed < window / 4) {
            return 0;
        }
        int granted = consumed;
        consumed = 0;
        synchronized (this) {
            credit += granted;
        }
        return granted;
    }

    /** Returns true when there is nothing behind what was consumed. */
    synchronized boolean isAtEnd() {
        return at >= whole && (closed || ended && backWhole == 0);
    }

    /** Returns why it ended, or null. */
    synchronized Throwable failure() {
        return failure;
    }
}
