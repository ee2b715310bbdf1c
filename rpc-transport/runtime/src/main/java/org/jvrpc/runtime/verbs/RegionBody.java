package org.jvrpc.runtime.verbs;

import java.nio.ByteBuffer;
import org.jvrpc.runtime.session.Body;

/** Registered memory for one long body, from a {@link BodyPool}: a piece of a region, or all of one. */
public final class RegionBody implements Body {

    private final BodyShelf shelf;
    private final BodyShelf.Slab slab;
    private final long offset;
    private final ByteBuffer buffer;
    private int begin;

    RegionBody(BodyShelf shelf, BodyShelf.Slab slab, long offset, int capacity) {
        this.shelf = shelf;
        this.slab = slab;
        this.offset = offset;
        this.buffer = slab.mr().buffer(offset, capacity);
    }

    BodyShelf shelf() {
        return shelf;
    }

    BodyShelf.Slab slab() {
        return slab;
    }

    /** Returns the address of the first byte, in the device's address space. */
    public long address() {
        return slab.mr().address() + offset;
    }

    /** Returns the address of the first byte that is sent. */
    public long sentAddress() {
        return address() + begin;
    }

    @Override
    public int beginAt(int offset) {
        begin = offset;
        return offset;
    }

    public int lkey() {
        return slab.mr().lkey();
    }

    public int rkey() {
        return slab.mr().rkey();
    }

    @Override
    public ByteBuffer buffer() {
        return buffer;
    }

    @Override
    public int capacity() {
        return buffer.capacity();
    }
}
