package org.jvrpc.softrnic.router.wire;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.WritableByteChannel;
import java.util.ArrayDeque;
import java.util.Queue;

/**
 * Writes frames to a non-blocking channel. What does not go at once waits here, and goes with {@link #drain}; whoever
 * writes waits for nothing. Any thread.
 */
public final class FrameWriter {

    /** So many frames wait at the most for a side that does not read. */
    private static final int MOST_WAITING = 512;

    private final WritableByteChannel to;
    private final Runnable blocked;
    private final ByteBuffer small = ByteBuffer.allocateDirect(ControlFrame.HEADER);
    private final Queue<ByteBuffer> waiting = new ArrayDeque<>();

    /** @param blocked told, under this object's monitor, when frames begin to wait: {@link #drain} must be called */
    public FrameWriter(WritableByteChannel to, Runnable blocked) {
        this.to = to;
        this.blocked = blocked;
    }

    /** Writes a frame or has it wait. @throws IOException when the channel is closed, or too many wait */
    public synchronized void write(ControlFrame frame) throws IOException {
        ByteBuffer bytes = frame.encode();
        if (waiting.isEmpty()) {
            to.write(bytes);
        } else if (waiting.size() >= MOST_WAITING) {
            throw new IOException("the other side does not read: frames that wait=" + waiting.size());
        }
        if (bytes.hasRemaining()) {
            waitWith(bytes);
        }
    }

    /**
     * Writes a frame without body, allocating nothing; false, with nothing done, when there is no room for it now.
     *
     * @throws IOException when the channel is closed
     */
    public synchronized boolean tryWrite(Command command, int id, int object) throws IOException {
        if (!waiting.isEmpty()) {
            return false;
        }
        ControlFrame.put(small, 0, command, id, object);
        small.clear();
        int count = to.write(small);
        if (count == 0) {
            return false;
        }
        if (small.hasRemaining()) { // a part of a frame has gone: the rest must
            waitWith(ByteBuffer.allocate(small.remaining()).put(small).flip());
        }
        return true;
    }

    private void waitWith(ByteBuffer bytes) {
        waiting.add(bytes);
        if (waiting.size() == 1) {
            blocked.run();
        }
    }

    /** Writes what waits; true when nothing does any more. @throws IOException when the channel is closed */
    public synchronized boolean drain() throws IOException {
        while (!waiting.isEmpty()) {
            to.write(waiting.peek());
            if (waiting.peek().hasRemaining()) {
                return false;
            }
            waiting.remove();
        }
        return true;
    }
}
