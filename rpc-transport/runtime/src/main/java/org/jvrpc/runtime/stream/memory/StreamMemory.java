package org.jvrpc.runtime.stream.memory;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import org.jvrpc.api.RpcException;
import org.jvrpc.api.Status;

/**
 * Direct buffers that streams borrow, in sizes of powers of two, up to a number of bytes. Keeps some of what comes
 * back. A server's is divided: each session has a share, which takes no more than it leaves for all others together,
 * so that a newcomer finds some, however greedy the others are. Any thread.
 */
public final class StreamMemory {

    private static final int MIN_SHIFT = 12;
    private static final long KEEP_BYTES = 8L << 20;

    private final Pool pool;
    private final long limit;
    private final boolean shares;
    /** Under the pool's monitor. */
    private long borrowed;

    /** What all have together; under its monitor. */
    private static final class Pool {

        final long limit;
        final List<ArrayDeque<ByteBuffer>> free = new ArrayList<>(0);
        long kept;
        long borrowed;

        Pool(long limit) {
            this.limit = limit;
        }

        /** Returns the free ones of a size. Most clients have none of any. */
        ArrayDeque<ByteBuffer> free(int sizeClass) {
            while (free.size() <= sizeClass) {
                free.add(new ArrayDeque<>());
            }
            return free.get(sizeClass);
        }
    }

    /** @param limit of bytes that are borrowed */
    public StreamMemory(long limit) {
        this(new Pool(limit), limit, false);
    }

    private StreamMemory(Pool pool, long limit, boolean shares) {
        this.pool = pool;
        this.limit = limit;
        this.shares = shares;
    }

    /** Returns a share of it, of so many bytes at most. */
    public StreamMemory share(long most) {
        return new StreamMemory(pool, most, true);
    }

    private static int sizeClass(int bytes) {
        return Math.max(0, 32 - Integer.numberOfLeadingZeros(bytes - 1) - MIN_SHIFT);
    }

    /** Borrows a little-endian buffer of so many bytes or more. @throws RpcException RESOURCE_EXHAUSTED */
    public ByteBuffer take(int bytes) {
        int sizeClass = sizeClass(Math.max(bytes, 1));
        int size = 1 << sizeClass + MIN_SHIFT;
        synchronized (pool) {
            hold(size);
            ByteBuffer buffer = pool.free(sizeClass).pollLast();
            if (buffer != null) {
                pool.kept -= size;
                return buffer;
            }
        }
        try {
            return ByteBuffer.allocateDirect(size).order(ByteOrder.LITTLE_ENDIAN);
        } catch (OutOfMemoryError e) {
            letGo(size);
            throw new RpcException(Status.RESOURCE_EXHAUSTED, "no memory for a stream: bytes=" + size + ": "
                    + e.getMessage(), e);
        }
    }

    /** Counts bytes that somebody allocates beside. @throws RpcException RESOURCE_EXHAUSTED, and they do not count */
    public void hold(int bytes) {
        synchronized (pool) {
            long left = pool.limit - pool.borrowed;
            if (borrowed + bytes > limit) {
                throw new RpcException(Status.RESOURCE_EXHAUSTED, "memory of " + (shares ? "a session's" : "all")
                        + " streams: used=" + borrowed + " needed=" + bytes + " limit=" + limit);
            }
            if (bytes > left || shares && borrowed + bytes > left) {
                throw new RpcException(Status.RESOURCE_EXHAUSTED, "memory of all streams: used=" + pool.borrowed
                        + " limit=" + pool.limit + "; a session gets no more than it leaves: used=" + borrowed
                        + " needed=" + bytes + " left=" + left);
            }
            borrowed += bytes;
            pool.borrowed += bytes;
        }
    }

    /** Ends {@link #hold}. */
    public void letGo(int bytes) {
        synchronized (pool) {
            borrowed -= bytes;
            pool.borrowed -= bytes;
        }
    }

    /** Gives a buffer back, once; null is none. */
    public void give(ByteBuffer buffer) {
        if (buffer == null) {
            return;
        }
        synchronized (pool) {
            letGo(buffer.capacity());
            if (pool.kept + buffer.capacity() <= KEEP_BYTES) {
                pool.kept += buffer.capacity();
                pool.free(sizeClass(buffer.capacity())).addLast(buffer.clear());
            }
        }
    }

    /** A borrower may look at a buffer for ever, and gives it back no more: it is the collector's; null is none. */
    public void leave(ByteBuffer buffer) {
        letGo(buffer == null ? 0 : buffer.capacity());
    }

    /** Returns how many bytes are borrowed: of a share, or of all. */
    public long borrowed() {
        synchronized (pool) {
            return shares ? borrowed : pool.borrowed;
        }
    }
}
