package org.jvrpc.softrnic.memory;

import java.nio.ByteBuffer;

/**
 * The pages of a device's table of memory regions as whoever looks keys up has them: each is found when first asked
 * for, and then stays where it is. One thread.
 */
final class RegionPages {

    private final AddressSpace space;
    private final ByteBuffer header;
    private final ByteBuffer[] windows = new ByteBuffer[RegionEntry.PAGES];
    private final int[] starts = new int[RegionEntry.PAGES];

    RegionPages(AddressSpace space) {
        long address = Slab.baseOf(0);
        this.space = space;
        this.header = space.require(address, RegionEntry.TABLE_BYTES, "table of memory regions").window(address);
        windows[0] = header;
    }

    /** Returns the window that the page of a key's entry lies in; null where there is none, or it cannot be. */
    ByteBuffer window(int key) {
        int page = RegionEntry.page(key);
        if (page >= RegionEntry.PAGES) {
            return null;
        }
        ByteBuffer window = windows[page];
        return window != null ? window : look(page);
    }

    /** Returns where in its window the entry of a key lies, which has one. */
    int at(int key) {
        return starts[RegionEntry.page(key)] + RegionEntry.offset(key);
    }

    /** The address is the peer's word: it may name any of the peer's memory, and nothing else. */
    private ByteBuffer look(int page) {
        long address = ArenaHeader.page(header, page);
        Slab slab = space.find(address, RegionEntry.pageBytes(page));
        if (slab == null || (address & RegionEntry.BYTES - 1) != 0
                || !slab.containsInWindow(address, RegionEntry.pageBytes(page))) {
            return null;
        }
        starts[page] = Slab.index(address);
        windows[page] = slab.window(address);
        return windows[page];
    }
}
