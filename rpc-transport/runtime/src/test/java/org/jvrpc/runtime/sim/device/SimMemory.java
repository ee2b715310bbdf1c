package org.jvrpc.runtime.sim.device;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Objects;
import org.jvrpc.verbs.Access;
import org.jvrpc.verbs.MemoryRegion;

/** A region of a simulated process's memory. */
final class SimMemory implements MemoryRegion {

    private final SimDomain domain;
    private final int key;
    private final long address;
    private final ByteBuffer bytes;
    private final int access;
    private int firstUsed;
    private int endUsed;
    private boolean closed;

    SimMemory(SimDomain domain, int key, long address, int length, int access, SparePages pages) {
        this.domain = domain;
        this.key = key;
        this.address = address;
        this.bytes = ByteBuffer.wrap(pages.take(length)).order(ByteOrder.LITTLE_ENDIAN);
        this.access = Access.check(access);
        this.firstUsed = length;
        pages.keep(this, length);
    }

    @Override
    public long address() {
        return address;
    }

    @Override
    public long length() {
        return bytes.capacity();
    }

    @Override
    public int lkey() {
        return key;
    }

    @Override
    public int rkey() {
        return key;
    }

    @Override
    public int access() {
        return access;
    }

    @Override
    public ByteBuffer buffer(long offset, int length) {
        Objects.checkFromIndexSize(offset, length, length());
        return use((int) offset, length);
    }

    private ByteBuffer use(int offset, int length) {
        firstUsed = Math.min(firstUsed, offset);
        endUsed = Math.max(endUsed, offset + length);
        return bytes.slice(offset, length).order(ByteOrder.LITTLE_ENDIAN);
    }

    byte[] array() {
        return bytes.array();
    }

    /** Returns from where on somebody had bytes of this. */
    int firstUsed() {
        return Math.min(firstUsed, endUsed);
    }

    int endUsed() {
        return endUsed;
    }

    /** Returns the bytes, for the device, or null where the region has no such bytes, or no such right. */
    ByteBuffer reach(SimDomain of, long at, int length, int right) {
        long offset = at - address;
        return closed || of != domain || (access & right) != right || offset < 0 || length > length() - offset ? null
                : use((int) offset, length);
    }

    @Override
    public void close() {
        if (!closed) {
            closed = true;
            domain.freed(this);
        }
    }

    @Override
    public String toString() {
        return "region of " + length() + " bytes";
    }
}
