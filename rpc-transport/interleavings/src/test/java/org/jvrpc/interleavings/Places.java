package org.jvrpc.interleavings;

import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicInteger;
import org.jvrpc.softrnic.memory.AddressSpace;
import org.jvrpc.softrnic.memory.Slab;

/**
 * Direct memory for the many states of a test, of which jcstress has some thousands at a time: places of one size,
 * each of which is used again only after all others. Any thread.
 */
public final class Places implements AddressSpace {

    /** More than the states that live at a time: see {@link Jcstress}. */
    private static final int COUNT = 1 << 14;
    private static final int LINE = 128;

    private final Slab slab;
    private final int bytes;
    private final byte[] zeros;
    private final AtomicInteger next = new AtomicInteger();

    /** @param bytes of a place, rounded up to the alignment of an arena */
    public Places(int bytes) {
        this.bytes = bytes + LINE - 1 & -LINE;
        this.zeros = new byte[this.bytes];
        ByteBuffer memory = ByteBuffer.allocateDirect(COUNT * this.bytes + LINE).alignedSlice(LINE);
        this.slab = Slab.wrap(memory, 0);
    }

    /** Returns the address of a place that is all zeros. */
    public long take() {
        long address = slab.base() + (long) (next.getAndIncrement() & COUNT - 1) * bytes;
        memory().put(Slab.index(address), zeros);
        return address;
    }

    /** Returns the memory in which {@link Slab#index} of an address is an offset. */
    public ByteBuffer memory() {
        return slab.window(slab.base());
    }

    public Slab slab() {
        return slab;
    }

    @Override
    public Slab find(long address, long length) {
        return slab.contains(address, length) ? slab : null;
    }

    @Override
    public String place() {
        return "direct memory";
    }

    @Override
    public void close() {
        // the collector's
    }
}
