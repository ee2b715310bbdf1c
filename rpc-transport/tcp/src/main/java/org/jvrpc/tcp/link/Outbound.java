package org.jvrpc.tcp.link;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;

/**
 * Frames on their way out, in order. They are collected until somebody flushes, so that one system call takes many. One
 * thread at a time.
 */
final class Outbound {

    /** As many go in one call; Linux takes 1024, but what a socket has room for is far less. */
    private static final int BATCH = 16;

    private final Wire wire;
    private final ArrayDeque<ByteBuffer> waiting = new ArrayDeque<>();
    private final ByteBuffer[] batch = new ByteBuffer[BATCH];
    /** What was sent from elsewhere last, and a view of it. */
    private ByteBuffer viewed;
    private ByteBuffer view;
    /** Where in it the end of the frame begins that waits in two; -1 for none. */
    private int restAt = -1;
    private long posted;
    private volatile long completed;
    /** The socket had no room for all. */
    private volatile boolean full;

    Outbound(Wire wire) {
        this.wire = wire;
    }

    /** Takes a frame, which is not to be changed until it has left. Returns its number, from 1. */
    long add(ByteBuffer frame) {
        waiting.add(frame);
        return ++posted;
    }

    /**
     * Takes a frame whose end lies elsewhere, while no other waits; {@link #flush} follows. Returns true.
     *
     * @param end where in the frame that is wanted which lies elsewhere
     */
    boolean addInTwo(ByteBuffer frame, int end, ByteBuffer from, int at) {
        int length = frame.limit() - end;
        batch[0] = frame.limit(end);
        batch[1] = view(from).limit(at + length).position(at);
        restAt = at;
        add(frame);
        return true;
    }

    /** Sends it; what the socket has no room for is copied behind its beginning, and waits as all others. */
    private boolean flushInTwo() throws IOException {
        int at = restAt;
        restAt = -1;
        ByteBuffer frame = batch[0];
        ByteBuffer rest = batch[1];
        int end = frame.limit();
        boolean some = wire.write(batch, 0, 2) > 0;
        int sent = end + rest.position() - at;
        frame.limit(end + rest.limit() - at).put(sent, rest, rest.position(), rest.remaining());
        if (frame.position() == end) {
            frame.position(sent);
        }
        return some;
    }

    /** Returns a buffer of its own of the same bytes. */
    private ByteBuffer view(ByteBuffer buffer) {
        if (viewed != buffer) {
            viewed = buffer;
            view = buffer.duplicate();
        }
        return view.clear();
    }

    /** Returns the number of the last frame that has left. Any thread. */
    long completed() {
        return completed;
    }

    /** Returns how many were added. */
    long posted() {
        return posted;
    }

    /** Returns true when all has left. */
    boolean isEmpty() {
        return waiting.isEmpty() && !full;
    }

    boolean isMany() {
        return waiting.size() >= BATCH;
    }

    boolean isFull() {
        return full;
    }

    /** Forgets what has not left: nobody takes it. */
    void clear() {
        waiting.clear();
        completed = posted;
        full = false;
    }

    /** Sends what the socket has room for. Returns true when some of it, or nothing, was left. */
    boolean flush() throws IOException {
        int kept = wire.pending();
        if (kept > 0) {
            wire.drain();
        }
        boolean some = waiting.isEmpty() && kept == 0 || wire.pending() < kept;
        if (restAt >= 0) {
            some |= flushInTwo();
            remove();
        }
        while (!waiting.isEmpty()) {
            long written = waiting.size() == 1 ? wire.write(waiting.peek()) : writeBatch();
            some |= written > 0;
            remove();
            if (!waiting.isEmpty() && waiting.peek().hasRemaining() && written == 0) {
                full = true;
                return some;
            }
        }
        boolean keeps = wire.pending() > 0;
        if (full != keeps) { // volatile, and mostly so
            full = keeps;
        }
        return some;
    }

    private long writeBatch() throws IOException {
        int count = 0;
        for (ByteBuffer frame : waiting) {
            batch[count++] = frame;
            if (count == BATCH) {
                break;
            }
        }
        return wire.write(batch, 0, count);
    }

    private void remove() {
        long left = 0;
        while (!waiting.isEmpty() && !waiting.peek().hasRemaining()) {
            waiting.remove();
            left++;
        }
        completed += left;
    }
}
