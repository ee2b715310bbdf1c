package org.jvrpc.samples.kv.memcache;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;

/**
 * Buffers of an event loop, direct and little-endian. Small ones are lent to connections with something under way;
 * larger ones, for long values, count against a budget of all loops together, so that peers that send or take slowly
 * cannot make memory grow. One thread.
 */
final class BufferPool {

    /** Bytes of a small buffer. */
    static final int SMALL = 1 << 16;
    /** Bytes of the longest buffer: a command with the longest value, and an answer that began before. */
    static final int LARGEST = 1 << 21;

    private static final int KEPT = 8;
    private static final int SIZES = 31 - Integer.numberOfLeadingZeros(LARGEST / SMALL) + 1;

    private final BufferBudget budget;
    private final List<ArrayDeque<ByteBuffer>> free = new ArrayList<>();

    /** @param budget of larger buffers, shared by all loops */
    BufferPool(BufferBudget budget) {
        this.budget = budget;
        for (int i = 0; i < SIZES; i++) {
            free.add(new ArrayDeque<>());
        }
    }

    /** Lends a buffer of at least so many bytes. @return null when the budget is spent */
    ByteBuffer take(int bytes) {
        int size = 0;
        while (SMALL << size < bytes) {
            size++;
        }
        int capacity = SMALL << size;
        if (size > 0 && !budget.take(capacity)) {
            return null;
        }
        ByteBuffer buffer = free.get(size).pollFirst();
        if (buffer != null) {
            return buffer.clear();
        }
        try {
            return ByteBuffer.allocateDirect(capacity).order(ByteOrder.LITTLE_ENDIAN);
        } catch (OutOfMemoryError e) {
            if (size == 0) {
                throw e;
            }
            budget.give(capacity); // the JVM has less than the budget says
            return null;
        }
    }

    /** Takes a buffer back. */
    void give(ByteBuffer buffer) {
        int size = Integer.numberOfTrailingZeros(buffer.capacity() / SMALL);
        if (size > 0) {
            budget.give(buffer.capacity());
        }
        if (free.get(size).size() < KEPT) {
            free.get(size).addFirst(buffer);
        }
    }
}
