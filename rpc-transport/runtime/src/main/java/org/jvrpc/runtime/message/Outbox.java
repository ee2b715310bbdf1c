package org.jvrpc.runtime.message;

import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * Frames, or what has not left of them, that wait for room at the peer of a message session, within what its server
 * lets it queue. Under the session's lock, except what is said to be for any thread.
 */
final class Outbox {

    private final QueueBudget budget;
    private final Runnable overflows;
    private final Deque<ByteBuffer> rests = new ArrayDeque<>();
    private volatile long bytes;
    private volatile String overflow;

    /** @param overflows told when the session is to end; any thread */
    Outbox(QueueBudget budget, Runnable overflows) {
        this.budget = budget;
        this.overflows = overflows;
    }

    boolean isEmpty() {
        return rests.isEmpty();
    }

    /** Returns how many bytes wait. Any thread. */
    long bytes() {
        return bytes;
    }

    /** Returns true when so much waits that nothing is to be done that makes it more. Any thread. */
    boolean isFull() {
        return bytes > budget.holdBytes();
    }

    /**
     * Copies a frame behind the others.
     *
     * @param room bytes that may leave at once
     * @return false, and the session is to end, when its peer leaves too much here
     */
    boolean add(ByteBuffer[] pieces, int total, long room) {
        if (bytes + total - room > budget.sessionBytes()) {
            overflow("peer makes no room: queued bytes=" + bytes + " and a frame of bytes=" + total + ", limit="
                    + budget.sessionBytes());
            return false;
        }
        ByteBuffer whole = ByteBuffer.allocate(total);
        for (ByteBuffer piece : pieces) {
            whole.put(piece.duplicate());
        }
        rests.add(whole.flip());
        count(total);
        return true;
    }

    private void count(long more) {
        bytes += more;
        budget.count(more);
    }

    /** Sees that all sessions together have not too much here, after what may leave has left. */
    void look() {
        if (!rests.isEmpty()) {
            budget.look(this);
        }
    }

    /** Returns what is to leave first, at its position. */
    ByteBuffer first() {
        return rests.peek();
    }

    /** So many bytes of the first have left; they are counted out of it here. */
    void consume(int length) {
        ByteBuffer first = rests.peek();
        first.position(first.position() + length);
        count(-length);
        if (!first.hasRemaining()) {
            rests.remove();
        }
        if (rests.isEmpty()) {
            budget.forget(this);
        }
    }

    void clear() {
        rests.clear();
        count(-bytes);
        budget.forget(this);
    }

    /** Has the session ended. Any thread. */
    void overflow(String why) {
        overflow = why;
        overflows.run();
    }

    /** Returns why the session is to end, or null. Any thread. */
    String overflow() {
        return overflow;
    }
}
