package org.jvrpc.offload.table;

import java.nio.ByteBuffer;
import org.jvrpc.verbs.MemoryRegion;

/** A region of any length, without memory: a view of it is asked for by those who take that length. */
record LargeRegion(long length) implements MemoryRegion {

    @Override
    public long address() {
        return 1L << 40;
    }

    @Override
    public int lkey() {
        return 1;
    }

    @Override
    public int rkey() {
        return 1;
    }

    @Override
    public int access() {
        return 0;
    }

    @Override
    public ByteBuffer buffer(long offset, int length) {
        throw new UnsupportedOperationException("view of " + length);
    }

    @Override
    public void close() {
    }
}
