package org.jvrpc.softrnic.memory;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.BitSet;
import java.util.function.LongFunction;
import org.jvrpc.mlx5.LocalMemory;
import org.jvrpc.mlx5.ShadowMemory;
import org.jvrpc.verbs.Access;
import org.jvrpc.verbs.VerbsException;

/** A device's memory regions: the table that peers read, and the objects behind it. Any thread. */
public final class RegionTable implements LkeyLookup {

    /** How often the entries are used in turn before there are more, so that it takes long until a key comes again. */
    private static final int LAPS = 16;
    private static final int PART_BITS = 6;
    private static final int PART = 1 << PART_BITS;

    private final ByteBuffer header;
    private final LongFunction<? extends Piece> memory;
    private final ByteBuffer[] windows = new ByteBuffer[RegionEntry.PAGES];
    private final int[] starts = new int[RegionEntry.PAGES];
    private int pages = 1;
    private int laps;
    /** In parts, which are made when needed and never replaced, as they are read without a barrier. */
    private final LocalRegion[][] regions = new LocalRegion[RegionEntry.COUNT >>> PART_BITS][];
    private byte[] variants = new byte[RegionEntry.FIRST_PAGE];
    /** Entries with a region, or for one that is not published yet. */
    private final BitSet taken = new BitSet(RegionEntry.FIRST_PAGE);
    private int next = RegionEntry.FIRST;
    private volatile long epoch;
    /** Regions that the device reaches by their staging alone. Read without a barrier, as the regions are. */
    private int staged;

    /**
     * A table of one page.
     *
     * @param slab0 its window, which begins with header and first page
     * @param memory allocates zeroed memory of so many bytes in one window, for other pages
     */
    public RegionTable(ByteBuffer slab0, LongFunction<? extends Piece> memory) {
        this.header = slab0;
        this.memory = memory;
        windows[0] = slab0;
    }

    /**
     * Takes a free key, until {@link #retract}. The region becomes usable by {@link #publish}.
     *
     * @throws VerbsException when all are taken, or there is no memory for more
     */
    public synchronized int claim() {
        int count = RegionEntry.countUpTo(pages - 1);
        int index = taken.nextClearBit(next);
        if (index >= count && pages < RegionEntry.PAGES && (++laps % LAPS == 0 || isFull(count))) {
            index = grow(count);
        } else if (index >= count) {
            index = taken.nextClearBit(RegionEntry.FIRST);
        }
        if (index >= RegionEntry.countUpTo(pages - 1)) {
            throw new VerbsException("reg_mr", "no free entry in the table of memory regions: entries="
                    + RegionEntry.COUNT);
        }
        taken.set(index);
        next = index + 1;
        return index << 8 | ++variants[index] & 0xff;
    }

    /**
     * Takes a key of the caller's choice, as {@link #claim} does one of its own.
     *
     * @return false for a number that is no key, or whose entry is taken
     * @throws VerbsException when there is no memory for its page
     */
    public synchronized boolean take(int key) {
        int index = key >>> 8;
        if (index < RegionEntry.FIRST || index >= RegionEntry.COUNT || taken.get(index)) {
            return false;
        }
        while (index >= RegionEntry.countUpTo(pages - 1)) {
            addPage();
        }
        taken.set(index);
        return true;
    }

    private boolean isFull(int count) {
        return taken.nextClearBit(RegionEntry.FIRST) >= count;
    }

    /** Makes another page; returns an entry that is free: where there is no memory for it, one of those before. */
    private int grow(int count) {
        try {
            addPage();
            return count;
        } catch (VerbsException e) {
            if (isFull(count)) {
                throw e;
            }
            return taken.nextClearBit(RegionEntry.FIRST);
        }
    }

    private void addPage() {
        Piece block = memory.apply(RegionEntry.pageBytes(pages));
        windows[pages] = block.slab().window(block.address());
        starts[pages] = Slab.index(block.address());
        variants = Arrays.copyOf(variants, RegionEntry.countUpTo(pages));
        ArenaHeader.enterPage(header, pages, block.address());
        pages++;
    }

    public synchronized void publish(LocalRegion region) {
        int key = region.key();
        staged += region.staging() != null ? 1 : 0;
        part(key >>> 8)[key >>> 8 & PART - 1] = region;
        if (region.isShared()) {
            RegionEntry.publish(window(key), at(key), key, region.access(), region.pd(), region.address(),
                    region.length());
        }
    }

    private LocalRegion[] part(int index) {
        LocalRegion[] part = regions[index >>> PART_BITS];
        if (part == null) {
            part = new LocalRegion[PART];
            regions[index >>> PART_BITS] = part;
        }
        return part;
    }

    private ByteBuffer window(int key) {
        return windows[RegionEntry.page(key)];
    }

    private int at(int key) {
        return starts[RegionEntry.page(key)] + RegionEntry.offset(key);
    }

    public synchronized void retract(LocalRegion region) {
        int key = region.key();
        RegionEntry.retract(window(key), at(key));
        staged -= part(key >>> 8)[key >>> 8 & PART - 1] == region && region.staging() != null ? 1 : 0;
        part(key >>> 8)[key >>> 8 & PART - 1] = null;
        taken.clear(key >>> 8);
        epoch = epoch + 1;
    }

    /** Returns a number that changes whenever a region goes: what was found before it was read may not be there. */
    public long epoch() {
        return epoch;
    }

    /**
     * Returns the region of a local key, or null when it is dead, of another domain, or lacks bytes or rights. Reads
     * the array without a barrier: who has a key has it from whoever published it.
     */
    LocalRegion find(int lkey, int pd, long address, long length, int access) {
        int index = lkey >>> 8;
        LocalRegion[] part = index < RegionEntry.COUNT ? regions[index >>> PART_BITS] : null;
        LocalRegion region = part == null ? null : part[index & PART - 1];
        if (region == null || region.key() != lkey || region.pd() != pd || !region.contains(address, length)
                || (region.access() & access) != access) {
            return null;
        }
        return region;
    }

    @Override
    public Slab slab(int lkey, int pd, long address, long length, int access) {
        LocalRegion region = find(lkey, pd, address, length, access);
        return region == null ? null : region.slab();
    }

    /** Returns the window that holds a piece of a region, or null when {@link #find} must be asked. */
    public ByteBuffer window(int lkey, int pd, long address, int length) {
        LocalRegion region = find(lkey, pd, address, length, 0);
        return region == null ? null : region.window();
    }

    /**
     * Returns how many bytes of a region from an address on lie in the one window that {@link #window} returns, or -1
     * when there is no such region, or no such window.
     */
    public int room(int lkey, int pd, long address) {
        LocalRegion region = find(lkey, pd, address, 0, 0);
        return region == null || region.window() == null ? -1 : (int) (region.address() + region.length() - address);
    }

    /** Returns the memory of one domain, for its drivers. */
    public LocalMemory of(int pd) {
        return new DomainMemory(pd);
    }

    /** As {@link #of}, for a device that may have regions with staging. */
    public LocalMemory staged(int pd) {
        return new StagedMemory(pd);
    }

    /** Memory of which a part is reached by copies: those of its thread who posts, or polls. */
    private final class StagedMemory extends DomainMemory implements ShadowMemory {

        StagedMemory(int pd) {
            super(pd);
        }

        @Override
        public ShadowMemory shadow() {
            return this;
        }

        @Override
        public boolean isEmpty() {
            return staged == 0;
        }

        @Override
        public void toDevice(long address, int lkey, long length) {
            LocalRegion region = find(lkey, domain(), address, length, 0);
            if (region != null && region.staging() != null) {
                copy(region.slab(), region.staging(), address, length);
            }
        }

        @Override
        public void fromDevice(long address, int lkey, long length) {
            LocalRegion region = find(lkey, domain(), address, length, Access.LOCAL_WRITE);
            if (region != null && region.staging() != null) {
                copy(region.staging(), region.slab(), address, length);
            }
        }

        private void copy(Slab from, Slab to, long address, long length) {
            for (long done = 0; done < length;) {
                long at = address + done;
                int piece = (int) Math.min(length - done, Slab.untilWindowEnd(at));
                Copy.bytes(from.window(at), Slab.index(at), to.window(at), Slab.index(at), piece);
                done += piece;
            }
        }
    }

    private class DomainMemory implements LocalMemory {

        private final int pd;

        DomainMemory(int pd) {
            this.pd = pd;
        }

        final int domain() {
            return pd;
        }

        @Override
        public boolean read(long address, int lkey, byte[] target, int offset, int length) {
            LocalRegion region = find(lkey, pd, address, length, 0);
            if (region == null) {
                return false;
            }
            for (int done = 0; done < length;) {
                long at = address + done;
                int piece = (int) Math.min(length - done, Slab.untilWindowEnd(at));
                region.slab().window(at).get(Slab.index(at), target, offset + done, piece);
                done += piece;
            }
            return true;
        }

        @Override
        public boolean write(long address, int lkey, ByteBuffer source, int offset, int length) {
            LocalRegion region = find(lkey, pd, address, length, Access.LOCAL_WRITE);
            if (region == null) {
                return false;
            }
            for (int done = 0; done < length;) {
                long at = address + done;
                int piece = (int) Math.min(length - done, Slab.untilWindowEnd(at));
                Copy.bytes(source, offset + done, region.slab().window(at), Slab.index(at), piece);
                done += piece;
            }
            return true;
        }
    }
}
