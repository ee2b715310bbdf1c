package org.jvrpc.runtime.server.queue;

import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;

/**
 * Direct buffers that calls borrow, in sizes of powers of two. Keeps some of what comes back, up to a number of bytes:
 * a direct buffer costs more than a call to make, and only the collector gives its memory back. Any thread.
 */
public final class ScratchMemory {

    private static final int MIN_SHIFT = 10;
    private static final long KEEP_BYTES = 8L << 20;

    private final List<ArrayDeque<ByteBuffer>> free = new ArrayList<>();
    private long kept;

    public ScratchMemory() {
        for (int shift = MIN_SHIFT; shift < 31; shift++) {
            free.add(new ArrayDeque<>());
        }
    }

    private static int sizeClass(int bytes) {
        return Math.max(0, 32 - Integer.numberOfLeadingZeros(bytes - 1) - MIN_SHIFT);
    }

    /** Borrows a buffer of so many bytes or more, 1 to 1 GiB. @throws OutOfMemoryError when there is no memory */
    public ByteBuffer take(int bytes) {
        int sizeClass = sizeClass(Math.max(bytes, 1));
        synchronized (this) {
            ByteBuffer buffer = free.get(sizeClass).pollLast();
            if (buffer != null) {
                kept -= buffer.capacity();
                return buffer;
            }
        }
        return ByteBuffer.allocateDirect(1 << sizeClass + MIN_SHIFT);
    }

    /** Gives a buffer back, once. */
    public synchronized void give(ByteBuffer buffer) {
        if (kept + buffer.capacity() <= KEEP_BYTES) {
            kept += buffer.capacity();
            free.get(sizeClass(buffer.capacity())).addLast(buffer);
        }
    }
}
