package org.jvrpc.softrnic.memory;

/** Memory of one slab, from an address on, that was looked up; or none. One thread; used again. */
public final class MemoryRange {

    private Slab slab;
    private long address;

    public void none() {
        slab = null;
    }

    public void set(Slab found, long from) {
        slab = found;
        address = from;
    }

    /** Returns null for none. */
    public Slab slab() {
        return slab;
    }

    public long address() {
        return address;
    }
}
