package org.jvrpc.router.engine.memory;

import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jvrpc.router.Refusal;
import org.jvrpc.router.RefusedException;
import org.jvrpc.softrnic.memory.ArenaHeader;
import org.jvrpc.softrnic.memory.Piece;
import org.jvrpc.softrnic.memory.Slab;

/**
 * Memory of the router's for one tenant's device: its key table, and the contexts of its queues. It has addresses that
 * no slab of the tenant's may have. The worker's thread.
 */
public final class PrivateMemory {

    /** The least segment that belongs to private memory; segment 0 does, too. */
    public static final int FIRST_SEGMENT = Slab.MAX_SEGMENTS - 1 - 4096;
    private static final int ALIGNMENT = 128;
    /** Of the first one behind the header: the queues of a device that has few. */
    private static final int SLAB = 2048;
    private static final int LARGEST_SLAB = 64 << 10;
    /** Of one device; thousands of queues take less, but SRQs, whose owner words lie here, could take any amount. */
    public static final int MOST_BYTES = 8 << 20;

    private final List<Slab> slabs = new ArrayList<>();
    private final Map<Integer, ArrayDeque<Long>> free = new HashMap<>();
    private int used = SLAB;
    private int size = SLAB;
    private long total = ArenaHeader.BYTES;

    private record Allocated(Slab slab, long address) implements Piece {
    }

    public PrivateMemory() {
        slabs.add(Slab.wrap(direct((int) ArenaHeader.BYTES), 0));
    }

    /** Returns the window that begins with the key table. */
    public ByteBuffer header() {
        return slabs.get(0).window(Slab.baseOf(0));
    }

    /** Returns the slab of a segment; null when it has none here. */
    public Slab slab(int segment) {
        int index = segment == 0 ? 0 : segment - FIRST_SEGMENT + 1;
        return index == 0 && segment == 0 || index > 0 && index < slabs.size() ? slabs.get(index) : null;
    }

    public static boolean isPrivate(int segment) {
        return segment <= 0 || segment >= FIRST_SEGMENT;
    }

    /** Allocates zeroed memory in one window. @throws RefusedException when there is none */
    public Piece allocate(long bytes) {
        int rounded = (int) (bytes + ALIGNMENT - 1 & -ALIGNMENT);
        ArrayDeque<Long> given = free.get(rounded);
        if (given != null && !given.isEmpty()) {
            long address = given.poll();
            return new Allocated(slab(Slab.segmentOf(address)), address);
        }
        if (rounded > size - used) {
            grow(rounded);
        }
        Slab slab = slabs.get(slabs.size() - 1);
        long address = slab.base() + used;
        used += rounded;
        return new Allocated(slab, address);
    }

    /** Gives back what was allocated with a length; it is zeroed now. */
    public void give(long address, long bytes) {
        int rounded = (int) (bytes + ALIGNMENT - 1 & -ALIGNMENT);
        ByteBuffer window = slab(Slab.segmentOf(address)).window(address);
        for (int at = Slab.index(address), end = at + rounded; at < end; at += Long.BYTES) {
            window.putLong(at, 0);
        }
        free.computeIfAbsent(rounded, key -> new ArrayDeque<>()).add(address);
    }

    private void grow(int bytes) {
        int segment = FIRST_SEGMENT + slabs.size() - 1;
        if (segment >= Slab.MAX_SEGMENTS - 1) {
            throw new RefusedException(Refusal.NO_MEMORY, "private segments=" + slabs.size());
        }
        int length = Math.max(bytes, Math.min(LARGEST_SLAB, slabs.size() * SLAB));
        if (total + length > MOST_BYTES) {
            throw new RefusedException(Refusal.NO_MEMORY, "bytes that the router keeps for the device=" + total
                    + " wants=" + length + " limit=" + MOST_BYTES);
        }
        total += length;
        slabs.add(Slab.wrap(direct(length), segment));
        size = length;
        used = 0;
    }

    private static ByteBuffer direct(int bytes) {
        try {
            return ByteBuffer.allocateDirect(bytes + ALIGNMENT).alignedSlice(ALIGNMENT).slice(0, bytes);
        } catch (OutOfMemoryError e) {
            throw new RefusedException(Refusal.NO_MEMORY, "the router has no memory: bytes=" + bytes);
        }
    }
}
