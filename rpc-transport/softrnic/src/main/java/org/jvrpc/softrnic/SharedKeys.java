package org.jvrpc.softrnic;

import java.nio.ByteBuffer;
import org.jvrpc.verbs.Access;

/**
 * The memory regions of one protection domain as its device's table, which all processes see, has them. Keeps what it
 * found for some keys: while a key is in the table, what the table says of it does not change. One thread.
 */
final class SharedKeys implements LocalKeys {

    private static final int KEPT = 32;

    private final AddressSpace space;
    private final ByteBuffer table;
    private final int pd;
    private final int[] keys = new int[KEPT];
    private final int[] offsets = new int[KEPT];
    private final int[] accesses = new int[KEPT];
    private final long[] starts = new long[KEPT];
    private final long[] lengths = new long[KEPT];
    /** The one window that holds all of a region; null when it takes several. */
    private final ByteBuffer[] windows = new ByteBuffer[KEPT];
    private ByteBuffer window;

    SharedKeys(AddressSpace space, int pd) {
        this.space = space;
        this.pd = pd;
        long address = Slab.baseOf(0);
        this.table = space.require(address, RegionEntry.TABLE_BYTES, "table of memory regions").window(address);
    }

    /**
     * Returns the slab that holds {@code bytes} from an address on, when the key allows the access; else null.
     *
     * @param access bits of {@link Access}
     */
    Slab find(int key, long address, long bytes, int access) {
        int at = RegionEntry.offset(key);
        if (at < 0 || key == 0 || RegionEntry.key(table, at) != key || RegionEntry.pd(table, at) != pd
                || (RegionEntry.access(table, at) & access) != access) {
            return null;
        }
        long offset = address - RegionEntry.address(table, at);
        long length = RegionEntry.length(table, at);
        if (offset < 0 || bytes < 0 || length < 0 || offset > length || bytes > length - offset) {
            return null;
        }
        return space.find(address, bytes);
    }

    /**
     * Looks up memory that lies in one window, as most does; {@link #window()} is it then.
     *
     * @return how many bytes of the region there are from the address on, or less than 0 when {@link #find} must say
     *     what is the matter
     */
    long locate(int key, long address, int access) {
        int slot = key >>> 8 & KEPT - 1;
        if (keys[slot] != key || RegionEntry.key(table, offsets[slot]) != key) {
            if (!keep(slot, key)) {
                return -1;
            }
        }
        long offset = address - starts[slot];
        if (offset < 0 || (accesses[slot] & access) != access) {
            return -1;
        }
        window = windows[slot];
        return lengths[slot] - offset;
    }

    /** Returns the window that {@link #locate} found. */
    ByteBuffer window() {
        return window;
    }

    private boolean keep(int slot, int key) {
        keys[slot] = 0;
        int at = RegionEntry.offset(key);
        if (at < 0 || key == 0 || RegionEntry.key(table, at) != key || RegionEntry.pd(table, at) != pd) {
            return false;
        }
        long start = RegionEntry.address(table, at);
        long length = RegionEntry.length(table, at);
        Slab slab = space.find(start, length);
        if (slab == null || length > Slab.untilWindowEnd(start)) {
            return false;
        }
        offsets[slot] = at;
        accesses[slot] = RegionEntry.access(table, at);
        starts[slot] = start;
        lengths[slot] = length;
        windows[slot] = slab.window(start);
        keys[slot] = key;
        return true;
    }

    @Override
    public Slab slab(int lkey, int pd, long address, long length, int access) {
        return pd == this.pd ? find(lkey, address, length, access) : null;
    }
}
