package org.jvrpc.softrnic.memory;

import java.nio.ByteBuffer;
import java.nio.IntBuffer;
import java.util.function.IntUnaryOperator;
import org.jvrpc.verbs.Access;

/**
 * The memory regions of one protection domain as its device's table, which all processes see, has them. Keeps what it
 * found for some keys: while a key is in the table, what the table says of it does not change. Not final because of
 * {@link AliasedKeys}; where there are none that class is not loaded, and no call is dispatched. One thread.
 */
public class SharedKeys implements LkeyLookup {

    private static final int KEPT = 32;

    private final AddressSpace space;
    private final RegionPages pages;
    private final int pd;
    private final Region[] kept = new Region[KEPT];

    /** A region that lies in one window, as most do. */
    public static final class Region {

        private final int key;
        private final IntBuffer entry;
        private final int access;
        private final long start;
        private final long length;
        private final ByteBuffer window;
        private final Atomics atomics;

        private Region(int key, IntBuffer entry, int access, long start, long length, Slab slab) {
            this.key = key;
            this.entry = entry;
            this.access = access;
            this.start = start;
            this.length = length;
            this.window = slab.window(start);
            this.atomics = slab.atomics();
        }

        /** Returns the window, in which an address lies at its {@link Slab#index}. */
        public ByteBuffer window() {
            return window;
        }

        /** Returns by what remote atomics are executed there. */
        public Atomics atomics() {
            return atomics;
        }

        public long start() {
            return start;
        }

        public long end() {
            return start + length;
        }

        /** Returns how many bytes there are from an address on; 0 for any address outside. */
        public long room(long address) {
            long offset = address - start;
            return offset < 0 || offset > length ? 0 : length - offset;
        }
    }

    /**
     * Returns the regions of a domain.
     *
     * @param keyOf tells the key that is known by a number; null where keys are known as they are
     */
    public static SharedKeys of(AddressSpace space, int pd, IntUnaryOperator keyOf) {
        return keyOf == null ? new SharedKeys(space, pd) : new AliasedKeys(space, pd, keyOf);
    }

    public SharedKeys(AddressSpace space, int pd) {
        this.space = space;
        this.pd = pd;
        this.pages = new RegionPages(space);
    }

    /**
     * Returns the slab that holds {@code bytes} from an address on, when the key allows the access; else null.
     *
     * @param access bits of {@link Access}
     */
    public Slab find(int key, long address, long bytes, int access) {
        ByteBuffer table = pages.window(key);
        int at = table == null ? -1 : pages.at(key);
        if (at < 0 || key == 0 || RegionEntry.key(table, at) != key || RegionEntry.pd(table, at) != pd
                || (RegionEntry.access(table, at) & access) != access) {
            return null;
        }
        long offset = address - RegionEntry.address(table, at);
        long length = RegionEntry.length(table, at);
        if (!RegionEntry.isStill(table, at, key)
                || offset < 0 || bytes < 0 || length < 0 || offset > length || bytes > length - offset) {
            return null;
        }
        return space.find(address, bytes);
    }

    /** Returns the region of a key that allows the access; null when {@link #find} must say what is the matter. */
    public Region region(int key, int access) {
        Region region = kept[key >>> 8 & KEPT - 1];
        if (region == null || region.key != key || !RegionEntry.has(region.entry, key)) {
            region = keep(key);
        }
        return region != null && (region.access & access) == access ? region : null;
    }

    private Region keep(int key) {
        int slot = key >>> 8 & KEPT - 1;
        kept[slot] = null;
        ByteBuffer table = pages.window(key);
        int at = table == null ? -1 : pages.at(key);
        if (at < 0 || key == 0 || RegionEntry.key(table, at) != key || RegionEntry.pd(table, at) != pd) {
            return null;
        }
        long start = RegionEntry.address(table, at);
        long length = RegionEntry.length(table, at);
        int access = RegionEntry.access(table, at);
        Slab slab = RegionEntry.isStill(table, at, key) && length > 0 ? space.find(start, length) : null;
        if (slab == null || length > Slab.untilWindowEnd(start)) {
            return null;
        }
        kept[slot] = new Region(key, RegionEntry.keyView(table, at), access, start, length, slab);
        return kept[slot];
    }

    @Override
    public Slab slab(int lkey, int pd, long address, long length, int access) {
        return pd == this.pd ? find(lkey, address, length, access) : null;
    }
}
