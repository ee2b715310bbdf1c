package org.jvrpc.softrnic.memory;

import java.nio.ByteBuffer;
import org.jvrpc.verbs.VerbsException;

/** The address space of one slab. */
public record OneSlab(Slab slab) implements AddressSpace {

    /** Returns a table of memory regions that has one page. @param slab0 its window */
    public static RegionTable regions(ByteBuffer slab0) {
        return new RegionTable(slab0, bytes -> {
            throw new VerbsException("alloc", "no memory: bytes=" + bytes);
        });
    }

    /** Returns where a key's entry is. @param slab0 window of slab 0 */
    public static long entry(ByteBuffer slab0, int key) {
        int page = RegionEntry.page(key);
        return (page == 0 ? Slab.baseOf(0) : ArenaHeader.page(slab0, page)) + RegionEntry.offset(key);
    }

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
