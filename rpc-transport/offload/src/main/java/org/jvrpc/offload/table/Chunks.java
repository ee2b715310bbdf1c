package org.jvrpc.offload.table;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.LongSupplier;

/**
 * Pieces of a region, of sizes that are powers of two. One that is freed is used again only after a time in which those
 * who read it are through, or know by its checksum that they are not. Each begins with its size, so that one after the
 * other can be found again by who attaches. One thread.
 *
 * <pre>
 * region  0 … start: others' | start: 0 end of what was given out:64 | 8 zero … 64: chunks | … end
 * </pre>
 */
final class Chunks {

    private static final int HEADER = 64;
    private static final int SMALLEST = 6;
    private static final VarHandle LONG = MethodHandles.byteBufferViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    private static final VarHandle INT = MethodHandles.byteBufferViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);

    /** Who says of a chunk that is found again whether it is in use. */
    interface InUse {
        boolean test(int at);
    }

    private record Freed(int at, long readyNs) {
    }

    private final ByteBuffer memory;
    private final int start;
    private final int end;
    private final long graceNs;
    private final LongSupplier clock;
    private final Deque<Freed>[] free;
    private int used;

    private Chunks(ByteBuffer memory, int start, int end, long graceNs, LongSupplier clock) {
        this.memory = memory;
        this.start = start;
        this.end = end;
        this.graceNs = graceNs;
        this.clock = clock;
        @SuppressWarnings({"unchecked", "rawtypes"})
        Deque<Freed>[] lists = new Deque[32];
        for (int i = 0; i < lists.length; i++) {
            lists[i] = new ArrayDeque<>();
        }
        this.free = lists;
    }

    /** All of a region from an offset on, a multiple of 64. */
    static Chunks create(ByteBuffer memory, int start, int end, long graceNs, LongSupplier clock) {
        if (start % HEADER != 0 || start + 2 * HEADER > end) {
            throw new IllegalArgumentException("no room for values: start=" + start + " end=" + end);
        }
        Chunks chunks = new Chunks(memory, start, end, graceNs, clock);
        chunks.use(start + HEADER);
        return chunks;
    }

    /** What another writer has left. Chunks that are not in use are free after the time of grace. */
    static Chunks attach(
            ByteBuffer memory, int start, int end, long graceNs, LongSupplier clock, InUse inUse) {
        Chunks chunks = new Chunks(memory, start, end, graceNs, clock);
        chunks.used = (int) (long) LONG.getAcquire(memory, start);
        if (chunks.used < start + HEADER || chunks.used > end) {
            throw new IllegalArgumentException("no values at start=" + start + ": used=" + chunks.used);
        }
        int at = start + HEADER;
        while (at < chunks.used) {
            int size = (int) INT.get(memory, at);
            if (Integer.bitCount(size) != 1 || size < 1 << SMALLEST || size > chunks.used - at) {
                throw new IllegalArgumentException("no chunk at=" + at + ": size=" + size);
            }
            if (!inUse.test(at)) {
                chunks.free(at);
            }
            at += size;
        }
        return chunks;
    }

    private void use(int newUsed) {
        used = newUsed;
        LONG.setRelease(memory, start, (long) newUsed);
    }

    /** Returns the offset of a chunk, whose size is written already; -1 when there is no room, or none yet. */
    int take(int bytes) {
        int log = Math.max(SMALLEST, 32 - Integer.numberOfLeadingZeros(bytes - 1));
        if (log > 30) {
            return -1;
        }
        Freed first = free[log].peek();
        if (first != null && clock.getAsLong() - first.readyNs >= 0) {
            return free[log].poll().at;
        }
        int at = used;
        if (end - at < 1 << log) {
            return -1;
        }
        INT.set(memory, at, 1 << log);
        use(at + (1 << log));
        return at;
    }

    /** Gives a chunk back. */
    void free(int at) {
        list(at).add(new Freed(at, clock.getAsLong() + graceNs));
    }

    /** Gives a chunk back that nobody has seen, and that needs no time of grace. */
    void giveBack(int at) {
        if (at + (int) INT.get(memory, at) == used) {
            use(at); // any size may lie here then
        } else {
            list(at).addFirst(new Freed(at, clock.getAsLong()));
        }
    }

    private Deque<Freed> list(int at) {
        return free[31 - Integer.numberOfLeadingZeros((int) INT.get(memory, at))];
    }
}
