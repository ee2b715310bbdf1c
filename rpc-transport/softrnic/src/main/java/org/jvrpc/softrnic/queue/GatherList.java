package org.jvrpc.softrnic.queue;

import java.nio.ByteBuffer;
import org.jvrpc.softrnic.memory.Atomics;
import org.jvrpc.softrnic.memory.Copy;
import org.jvrpc.softrnic.memory.MemoryRange;
import org.jvrpc.softrnic.memory.Slab;

/** The pieces of memory that a message is gathered from, or that a READ is scattered to. One thread; used again. */
public final class GatherList {

    private static final int MAX = 64;

    private final Slab[] slabs = new Slab[MAX];
    private final ByteBuffer[] memories = new ByteBuffer[MAX];
    private final long[] addresses = new long[MAX];
    private final int[] lengths = new int[MAX];
    private int count;
    private long total;

    public void clear() {
        count = 0;
        total = 0;
    }

    public long total() {
        return total;
    }

    /** Returns of how many pieces it is. */
    public int count() {
        return count;
    }

    /** Returns the address of a piece of registered memory; else its offset in {@link #memory}. */
    public long address(int i) {
        return addresses[i];
    }

    public int length(int i) {
        return lengths[i];
    }

    /** Returns the slab of a piece of registered memory; null for inline data. */
    public Slab slab(int i) {
        return slabs[i];
    }

    /** Returns the one memory that holds a piece; null when that lies across windows of its slab. */
    public ByteBuffer memory(int i) {
        return memories[i];
    }

    /** Adds registered memory, one byte at least. */
    public void add(Slab slab, long address, int length) {
        int i = count++;
        slabs[i] = slab;
        addresses[i] = address;
        lengths[i] = length;
        memories[i] = length <= Slab.untilWindowEnd(address) ? slab.window(address) : null;
        total += length;
    }

    /** Adds memory by offset; for inline data, which lies in the ring. */
    public void add(ByteBuffer memory, int offset, int length) {
        int i = count++;
        slabs[i] = null;
        memories[i] = memory;
        addresses[i] = offset;
        lengths[i] = length;
        total += length;
    }

    /** Finds {@code bytes}, from {@code skip} on; none unless they lie in one piece of registered memory. */
    public void find(long skip, int bytes, MemoryRange range) {
        range.none();
        int i = 0;
        for (; i < count && skip >= lengths[i]; i++) {
            skip -= lengths[i];
        }
        if (i < count && slabs[i] != null && memories[i] != null && bytes <= lengths[i] - skip) {
            range.set(slabs[i], addresses[i] + skip);
        }
    }

    /** Returns how many bytes, from {@code skip} on, lie in the piece that begins before or there. */
    public long pieceFrom(long skip) {
        int i = 0;
        for (; i < count && skip >= lengths[i]; i++) {
            skip -= lengths[i];
        }
        return i < count ? lengths[i] - skip : 0;
    }

    /** As {@link Slab#told}, of all its pieces. */
    public void told() {
        for (int i = 0; i < count; i++) {
            if (slabs[i] != null) {
                slabs[i].told();
            }
        }
    }

    /** Copies all of it to contiguous memory. */
    public void gather(ByteBuffer target, int to) {
        for (int i = 0; i < count; i++) {
            int length = lengths[i];
            ByteBuffer memory = memories[i];
            if (memory != null) {
                Copy.bytes(memory, Slab.index(addresses[i]), target, to, length);
            } else {
                gatherAcross(slabs[i], addresses[i], target, to, length);
            }
            to += length;
        }
    }

    private static void gatherAcross(Slab slab, long from, ByteBuffer target, int to, int length) {
        int first = (int) Slab.untilWindowEnd(from);
        Copy.bytes(slab.window(from), Slab.index(from), target, to, first);
        Copy.bytes(slab.window(from + first), 0, target, to + first, length - first);
    }

    /** Copies {@code bytes}, from {@code skip} on, to registered memory. */
    public void gather(long skip, Slab target, long to, long bytes) {
        for (int i = 0; i < count && bytes > 0; i++) {
            if (skip >= lengths[i]) {
                skip -= lengths[i];
                continue;
            }
            long piece = Math.min(bytes, lengths[i] - skip);
            copyOut(i, skip, target, to, piece);
            skip = 0;
            to += piece;
            bytes -= piece;
        }
    }

    private void copyOut(int i, long skip, Slab target, long to, long bytes) {
        if (slabs[i] != null) {
            Copy.bytes(slabs[i], addresses[i] + skip, target, to, bytes);
            return;
        }
        for (long done = 0; done < bytes;) {
            int piece = (int) Math.min(bytes - done, Slab.untilWindowEnd(to + done));
            Copy.bytes(memories[i], (int) (addresses[i] + skip + done), target.window(to + done),
                    Slab.index(to + done), piece);
            done += piece;
        }
    }

    /** Copies {@code bytes} of it, from {@code skip} on, to contiguous memory. */
    public void gather(long skip, ByteBuffer target, int to, int bytes) {
        move(skip, target, to, bytes, true);
    }

    /** Copies contiguous memory over {@code bytes} of it, from {@code skip} on. */
    public void scatter(long skip, ByteBuffer source, int from, int bytes) {
        move(skip, source, from, bytes, false);
    }

    private void move(long skip, ByteBuffer other, int at, int bytes, boolean out) {
        int done = 0;
        for (int i = 0; i < count && done < bytes; i++) {
            if (skip >= lengths[i]) {
                skip -= lengths[i];
                continue;
            }
            int piece = (int) Math.min(bytes - done, lengths[i] - skip);
            copy(i, skip, other, at + done, piece, out);
            skip = 0;
            done += piece;
        }
    }

    private void copy(int i, long skip, ByteBuffer other, int at, int bytes, boolean out) {
        for (int done = 0; done < bytes;) {
            long address = addresses[i] + skip + done;
            int piece = slabs[i] == null ? bytes - done : (int) Math.min(bytes - done, Slab.untilWindowEnd(address));
            ByteBuffer memory = slabs[i] == null ? memories[i] : slabs[i].window(address);
            if (out) {
                Copy.bytes(memory, Slab.index(address), other, at + done, piece);
            } else {
                Copy.bytes(other, at + done, memory, Slab.index(address), piece);
            }
            done += piece;
        }
    }

    /** Copies registered memory to all of it. */
    public void scatter(Slab source, long from) {
        for (int i = 0; i < count; i++) {
            Copy.bytes(source, from, slabs[i], addresses[i], lengths[i]);
            from += lengths[i];
        }
    }

    /** Returns true when all of it is one piece of registered memory, of 8 bytes. */
    public boolean isOneLong() {
        return count == 1 && total == 8 && memories[0] != null;
    }

    /** Writes 8 bytes in host order to the one piece that there is. */
    public void putLong(long value) {
        ByteBuffer memory = slabs[0].window(addresses[0]);
        int at = Slab.index(addresses[0]);
        for (int i = 0; i < 8; i++) {
            memory.put(at + i, (byte) (value >>> 8 * (Atomics.LITTLE ? i : 7 - i)));
        }
    }
}
