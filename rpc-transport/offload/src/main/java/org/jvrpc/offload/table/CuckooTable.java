package org.jvrpc.offload.table;

import java.util.function.LongSupplier;
import org.jvrpc.verbs.MemoryRegion;

/** A hash table in which two hashes of a key say where it may be. */
public final class CuckooTable extends HashTable {

    private CuckooTable(MemoryRegion region, int maxValue) {
        super(region, maxValue);
    }

    /**
     * Makes an empty table over a whole region.
     *
     * @param buckets to begin with, a power of two
     * @param maxValue the longest value, in bytes
     * @param graceNs how long a chunk rests before it is used again
     * @param clock monotonic, in nanoseconds
     * @throws IllegalArgumentException when the region is too small
     */
    public static CuckooTable create(
            MemoryRegion region, int buckets, int maxValue, long graceNs, LongSupplier clock) {
        CuckooTable table = new CuckooTable(region, maxValue);
        table.format(buckets, graceNs, clock);
        return table;
    }

    /**
     * Takes a table up that another process, or an earlier one, has written, and writes it from now on.
     *
     * @param maxValue as when it was made
     * @throws IllegalArgumentException when there is none
     */
    public static CuckooTable attach(MemoryRegion region, int maxValue, long graceNs, LongSupplier clock) {
        CuckooTable table = new CuckooTable(region, maxValue);
        table.takeUp(graceNs, clock);
        return table;
    }

    @Override
    long second(long key, long bucketMask) {
        return Hashes.second(key, bucketMask);
    }
}
