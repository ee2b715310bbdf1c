package org.jvrpc.softrnic.memory;

/** The address space of one slab. */
public record OneSlab(Slab slab) implements AddressSpace {

    @Override
    public Slab find(long address, long bytes) {
        return slab.contains(address, bytes) ? slab : null;
    }

    @Override
    public String place() {
        return "test";
    }

    @Override
    public void close() {
    }
}
