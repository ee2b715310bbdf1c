package org.jvrpc.offload.table;

import java.util.function.LongSupplier;
import org.jvrpc.verbs.MemoryRegion;

/** A hash table with a neighbourhood of two: a key is in its home bucket, or in the one behind it. Source: RedN. */
public final class HopscotchTable extends HashTable {

    private HopscotchTable(MemoryRegion region, int maxValue) {
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
    public static HopscotchTable create(
            MemoryRegion region, int buckets, int maxValue, long graceNs, LongSupplier clock) {
        HopscotchTable table = new HopscotchTable(region, maxValue);
        table.format(buckets, graceNs, clock);
        return table;
    }

    /**
     * Takes a table up that another process, or an earlier one, has written, and writes it from now on.
     *
     * @param maxValue as when it was made
     * @throws IllegalArgumentException when there is none
     */
    public static HopscotchTable attach(MemoryRegion region, int maxValue, long graceNs, LongSupplier clock) {
        HopscotchTable table = new HopscotchTable(region, maxValue);
        table.takeUp(graceNs, clock);
        return table;
    }

    @Override
    long second(long key, long bucketMask) {
        return Hashes.next(key, bucketMask);
    }
}
