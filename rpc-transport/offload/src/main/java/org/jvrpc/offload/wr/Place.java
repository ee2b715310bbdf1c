package org.jvrpc.offload.wr;

import java.util.Objects;
import org.jvrpc.mlx5.Wqe;
import org.jvrpc.offload.queue.ChainQueue;
import org.jvrpc.offload.queue.Field;
import org.jvrpc.verbs.MemoryRegion;

/**
 * Bytes that a WR reads or changes: of a memory region, of a peer's memory, or of a WR, whose address is known once the
 * program has its layout. Immutable.
 */
public final class Place {

    private final MemoryRegion region;
    private final WorkRequest wr;
    private final long offset;
    private final int length;
    private final int rkey;
    private final String name;

    private Place(MemoryRegion region, WorkRequest wr, long offset, int length, int rkey, String name) {
        if (length < 0) {
            throw new IllegalArgumentException("length must not be negative, length=" + length);
        }
        this.region = region;
        this.wr = wr;
        this.offset = offset;
        this.length = length;
        this.rkey = rkey;
        this.name = name;
    }

    /** Bytes of a region; {@code name} is what listings call it, may be null. */
    public static Place of(MemoryRegion region, long offset, int length, String name) {
        Objects.requireNonNull(region, "region");
        if (offset < 0 || offset > region.length() - length) {
            throw new IndexOutOfBoundsException(
                    "offset=" + offset + " length=" + length + " region=" + region.length());
        }
        return new Place(region, null, offset, length, region.rkey(), name);
    }

    /** Bytes of a region without a name. */
    public static Place of(MemoryRegion region, long offset, int length) {
        return of(region, offset, length, null);
    }

    /** Bytes of a peer's memory. */
    public static Place remote(long address, int rkey, int length, String name) {
        return new Place(null, null, address, length, rkey, name);
    }

    /** Returns bytes of a WQE. */
    public static Place in(WorkRequest wr, int offset, int length) {
        return new Place(null, wr, offset, length, 0, null);
    }

    /** Returns some of these bytes. @throws IndexOutOfBoundsException outside them */
    public Place slice(int from, int count) {
        if (from < 0 || count < 0 || from > length - count) {
            throw new IndexOutOfBoundsException("from=" + from + " count=" + count + " length=" + length);
        }
        return new Place(region, wr, offset + from, count, rkey, name == null || from == 0 ? name : name + "+" + from);
    }

    /** Returns the same bytes under a name. */
    public Place named(String newName) {
        return new Place(region, wr, offset, length, rkey, newName);
    }

    /** Returns the length in bytes. */
    public int length() {
        return length;
    }

    /** Returns the WR whose bytes these are, or null. */
    public WorkRequest wr() {
        return wr;
    }

    /** Returns the name, or null. */
    public String name() {
        return name;
    }

    /** Returns the region, or null. */
    public MemoryRegion region() {
        return region;
    }

    /** Returns the offset in the WQE, in bytes; of places of a WR. */
    int wqeOffset() {
        return (int) offset;
    }

    /** Returns the address. @throws IllegalStateException for a WR that has no place in a program yet */
    public long address() {
        if (wr == null) {
            return region == null ? offset : region.address() + offset;
        }
        ChainQueue queue = wr.queue();
        if (queue == null || wr.block() < 0) {
            throw new IllegalStateException(wr + " is in no queue, or its program was not built");
        }
        if (queue.code() == null) {
            throw new OrderException(wr + " cannot be changed: the send ring of " + queue + " is not registered");
        }
        int ring = queue.blocks() * Wqe.BLOCK;
        int at = (int) ((wr.block() * (long) Wqe.BLOCK + offset) % ring);
        if (at + length > ring) {
            throw new IllegalArgumentException(this + " lies across the end of the ring of " + queue);
        }
        return queue.code().address() + at;
    }

    /** Returns the key for SGEs. */
    public int lkey() {
        if (wr != null) {
            address();
            return wr.queue().code().lkey();
        }
        if (region == null) {
            throw new IllegalArgumentException("peer's memory cannot be in an SGE: " + this);
        }
        return region.lkey();
    }

    /** Returns the key for one-sided verbs. */
    public int rkey() {
        if (wr != null) {
            address();
            return wr.queue().code().rkey();
        }
        return rkey;
    }

    @Override
    public String toString() {
        if (wr != null) {
            return wr.where() + "." + Field.nameOf(wr.opcode(), (int) offset, length);
        }
        return (name != null ? name : "0x" + Long.toHexString(address())) + ":" + length;
    }
}
