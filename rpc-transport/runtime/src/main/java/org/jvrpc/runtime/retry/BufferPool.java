package org.jvrpc.runtime.retry;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.concurrent.ArrayBlockingQueue;

/** Memory for the arguments of calls that may be made again; 4 MiB are kept at most. Any thread. */
final class BufferPool {

    private static final int FIRST_BYTES = 4096;
    private static final int MOST_KEPT_BYTES = 1 << 16;
    private static final int MOST_KEPT = 64;

    private final ArrayBlockingQueue<ByteBuffer> free = new ArrayBlockingQueue<>(MOST_KEPT);

    ByteBuffer take() {
        ByteBuffer kept = free.poll();
        return kept != null ? kept : make(FIRST_BYTES);
    }

    /** Returns memory for at least so many bytes. */
    ByteBuffer take(int bytes) {
        ByteBuffer kept = take();
        if (kept.capacity() >= bytes) {
            return kept;
        }
        give(kept);
        return make(bytes);
    }

    private static ByteBuffer make(int bytes) {
        return ByteBuffer.allocateDirect(bytes).order(ByteOrder.LITTLE_ENDIAN);
    }

    void give(ByteBuffer memory) {
        if (memory.capacity() <= MOST_KEPT_BYTES) {
            free.offer(memory);
        }
    }
}
