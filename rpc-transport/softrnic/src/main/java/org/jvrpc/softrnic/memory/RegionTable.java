package org.jvrpc.softrnic.memory;

import java.nio.ByteBuffer;
import java.util.BitSet;
import org.jvrpc.mlx5.LocalMemory;
import org.jvrpc.verbs.Access;
import org.jvrpc.verbs.VerbsException;

/** A device's memory regions: the table that peers read, and the objects behind it. Any thread. */
public final class RegionTable implements LkeyLookup {

    private final ByteBuffer shared;
    private final LocalRegion[] regions = new LocalRegion[RegionEntry.COUNT];
    private final byte[] variants = new byte[RegionEntry.COUNT];
    /** Entries with a region, or for one that is not published yet. */
    private final BitSet taken = new BitSet(RegionEntry.COUNT);
    private int next = RegionEntry.FIRST;
    private volatile long epoch;

    /** @param shared slab 0's window, which begins with the table */
    public RegionTable(ByteBuffer shared) {
        this.shared = shared;
    }

    /** Takes a free key, until {@link #retract}. The region becomes usable by {@link #publish}. */
    public synchronized int claim() {
        for (int n = 0; n < RegionEntry.COUNT - RegionEntry.FIRST; n++) {
            int index = next;
            next = index + 1 == RegionEntry.COUNT ? RegionEntry.FIRST : index + 1;
            if (!taken.get(index)) {
                taken.set(index);
                return index << 8 | ++variants[index] & 0xff;
            }
        }
        throw new VerbsException("reg_mr", "no free entry in the table of memory regions: entries="
                + RegionEntry.COUNT);
    }

    public synchronized void publish(LocalRegion region) {
        int index = region.key() >>> 8;
        regions[index] = region;
        if (region.isShared()) {
            RegionEntry.publish(shared, index * RegionEntry.BYTES, region.key(), region.access(), region.pd(),
                    region.address(), region.length());
        }
    }

    public synchronized void retract(LocalRegion region) {
        int index = region.key() >>> 8;
        RegionEntry.retract(shared, index * RegionEntry.BYTES);
        regions[index] = null;
        taken.clear(index);
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
        LocalRegion region = index < RegionEntry.COUNT ? regions[index] : null;
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

    private final class DomainMemory implements LocalMemory {

        private final int pd;

        DomainMemory(int pd) {
            this.pd = pd;
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
