package org.jvrpc.ibverbs.core;

import java.nio.ByteBuffer;
import org.jvrpc.ibverbs.binding.WorkLayouts.Sge;
import org.jvrpc.mlx5.LocalMemory;
import org.jvrpc.verbs.MemoryRegion;

/**
 * The registered memory of a domain by its lkeys, so that a driver can copy inline data. Changed under a lock, read
 * without one. Any thread.
 */
public final class LkeyTable implements LocalMemory {

    private volatile MemoryRegion[] table = new MemoryRegion[16];
    private int count;

    synchronized void add(MemoryRegion region) {
        MemoryRegion[] old = table;
        MemoryRegion[] fresh = (count + 1) * 2 > old.length ? new MemoryRegion[old.length * 2] : old.clone();
        if (fresh.length != old.length) {
            for (MemoryRegion other : old) {
                put(fresh, other);
            }
        }
        put(fresh, region);
        count++;
        table = fresh;
    }

    synchronized void remove(MemoryRegion region) {
        MemoryRegion[] fresh = new MemoryRegion[table.length];
        boolean found = false;
        for (MemoryRegion other : table) {
            if (other == region) {
                found = true;
            } else {
                put(fresh, other);
            }
        }
        count -= found ? 1 : 0;
        table = fresh;
    }

    private static void put(MemoryRegion[] table, MemoryRegion region) {
        if (region != null) {
            int i = slot(region.lkey(), table.length);
            while (table[i] != null) {
                i = i + 1 & table.length - 1;
            }
            table[i] = region;
        }
    }

    private static int slot(int lkey, int length) {
        return (lkey ^ lkey >>> 8) & length - 1;
    }

    /** Returns an object that is another one after each change. */
    public Object version() {
        return table;
    }

    /** Returns the region with an lkey that holds these bytes, or null. */
    public MemoryRegion find(long address, int lkey, int length) {
        MemoryRegion[] now = table;
        for (int i = slot(lkey, now.length); now[i] != null; i = i + 1 & now.length - 1) {
            MemoryRegion region = now[i];
            if (region.lkey() == lkey) {
                long offset = address - region.address();
                return offset >= 0 && offset + length <= region.length() ? region : null;
            }
        }
        return null;
    }

    /** As {@link #find}, but for what processors must not touch, as its owner may cut it. */
    public MemoryRegion findForProcessor(long address, int lkey, int length) {
        MemoryRegion region = find(address, lkey, length);
        return region instanceof RdmaMemoryRegion known && known.isAdopted() ? null : region;
    }

    /**
     * Returns true when these SGEs are known memory with these rights.
     *
     * @param sges structs {@code ibv_sge}, in native byte order; those of no bytes may be anything
     * @param from offset of the first
     */
    public boolean mayTouch(ByteBuffer sges, int from, int count, int access) {
        for (int sge = from; sge < from + Sge.BYTES * count; sge += Sge.BYTES) {
            int length = sges.getInt(sge + Sge.LENGTH);
            if (length != 0) {
                MemoryRegion region = find(sges.getLong(sge + Sge.ADDR), sges.getInt(sge + Sge.LKEY), length);
                if (region == null || (region.access() & access) != access) {
                    return false;
                }
            }
        }
        return true;
    }

    @Override
    public boolean read(long address, int lkey, byte[] target, int offset, int length) {
        MemoryRegion region = findForProcessor(address, lkey, length);
        if (region == null) {
            return false;
        }
        region.buffer(address - region.address(), length).get(0, target, offset, length);
        return true;
    }

    @Override
    public boolean write(long address, int lkey, ByteBuffer source, int offset, int length) {
        MemoryRegion region = findForProcessor(address, lkey, length);
        if (region == null) {
            return false;
        }
        region.buffer(address - region.address(), length).put(0, source, offset, length);
        return true;
    }
}
