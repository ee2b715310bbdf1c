package org.jvrpc.softrnic;

import java.nio.ByteBuffer;
import org.jvrpc.verbs.Access;

/**
 * The memory regions of one protection domain as its device's table, which all processes see, has them. Keeps what it
 * found last for each of some keys. One thread.
 */
final class SharedKeys implements LocalKeys {

    private static final int KEPT = 16;

    private final AddressSpace space;
    private final ByteBuffer table;
    private final int pd;
    private final int[] keys = new int[KEPT];
    private final Slab[] slabs = new Slab[KEPT];

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
        int slot = key >>> 8 & KEPT - 1;
        if (keys[slot] == key && slabs[slot].contains(address, bytes)) {
            return slabs[slot];
        }
        Slab slab = space.find(address, bytes);
        if (slab != null) {
            keys[slot] = key;
            slabs[slot] = slab;
        }
        return slab;
    }

    @Override
    public Slab slab(int lkey, int pd, long address, long length, int access) {
        return pd == this.pd ? find(lkey, address, length, access) : null;
    }
}
