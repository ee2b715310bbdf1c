package org.jvrpc.runtime.stream;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import org.jvrpc.api.RpcException;
import org.jvrpc.api.Status;

/**
 * Direct buffers that streams borrow, in sizes of powers of two, up to a number of bytes for all of them together.
 * Keeps some of what comes back. Any thread.
 */
public final class StreamMemory {

    private static final int MIN_SHIFT = 12;
    private static final long KEEP_BYTES = 8L << 20;

    private final long limit;
    private final List<ArrayDeque<ByteBuffer>> free = new ArrayList<>(0);
    private long kept;
    private long borrowed;

    /** @param limit of bytes that are borrowed */
    public StreamMemory(long limit) {
        this.limit = limit;
    }

    /** Returns the free ones of a size. Most clients have none of any. */
    private ArrayDeque<ByteBuffer> free(int sizeClass) {
        while (free.size() <= sizeClass) {
            free.add(new ArrayDeque<>());
        }
        return free.get(sizeClass);
    }

    private static int sizeClass(int bytes) {
        return Math.max(0, 32 - Integer.numberOfLeadingZeros(bytes - 1) - MIN_SHIFT);
    }

    /** Borrows a little-endian buffer of so many bytes or more. @throws RpcException RESOURCE_EXHAUSTED */
    public ByteBuffer take(int bytes) {
        int sizeClass = sizeClass(Math.max(bytes, 1));
        int size = 1 << sizeClass + MIN_SHIFT;
        synchronized (this) {
            if (borrowed + size > limit) {
                throw new RpcException(Status.RESOURCE_EXHAUSTED, "memory of streams: used=" + borrowed + " needed="
                        + size + " limit=" + limit);
            }
            borrowed += size;
            ByteBuffer buffer = free(sizeClass).pollLast();
            if (buffer != null) {
                kept -= size;
                return buffer;
            }
        }
        try {
            return ByteBuffer.allocateDirect(size).order(ByteOrder.LITTLE_ENDIAN);
        } catch (OutOfMemoryError e) {
            synchronized (this) {
                borrowed -= size;
            }
            throw new RpcException(Status.RESOURCE_EXHAUSTED, "no memory for a stream: bytes=" + size + ": "
                    + e.getMessage(), e);
        }
    }

    /** Gives a buffer back, once; null is none. */
    public synchronized void give(ByteBuffer buffer) {
        if (buffer == null) {
            return;
        }
        borrowed -= buffer.capacity();
        if (kept + buffer.capacity() <= KEEP_BYTES) {
            kept += buffer.capacity();
            free(sizeClass(buffer.capacity())).addLast(buffer.clear());
        }
    }

    /** A borrower may look at a buffer for ever, and gives it back no more: it is the collector's; null is none. */
    synchronized void leave(ByteBuffer buffer) {
        borrowed -= buffer == null ? 0 : buffer.capacity();
    }

    /** Returns how many bytes are borrowed. */
    public synchronized long borrowed() {
        return borrowed;
    }
}
