package org.jvrpc.runtime;

import java.nio.ByteBuffer;

/** Registered memory for one long body, from a {@link BodyPool}: a piece of a region, or all of one. */
final class Body {

    private final BodyShelf shelf;
    private final BodyShelf.Slab slab;
    private final long offset;
    private final ByteBuffer buffer;

    Body(BodyShelf shelf, BodyShelf.Slab slab, long offset, int capacity) {
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
    long address() {
        return slab.mr().address() + offset;
    }

    int lkey() {
        return slab.mr().lkey();
    }

    int rkey() {
        return slab.mr().rkey();
    }

    ByteBuffer buffer() {
        return buffer;
    }

    int capacity() {
        return buffer.capacity();
    }
}
