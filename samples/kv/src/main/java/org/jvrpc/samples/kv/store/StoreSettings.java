package org.jvrpc.samples.kv.store;

import org.jvrpc.offload.table.Bucket;

/**
 * How a store is made. Kept in the region, so that who attaches needs none.
 *
 * @param memoryLimit bytes of pages for items; at least {@link #MIN_MEMORY}
 * @param offloadLimit items of more bytes from published address to value's end are not in the offload index
 * @param graceNs nanoseconds that a freed chunk is left alone, unless memory is wanting
 * @param evict false: a full store refuses instead
 * @param mainBuckets buckets of the main index at first, a power of two
 * @param offloadBuckets buckets of the offload index at first, a power of two
 */
public record StoreSettings(
        long memoryLimit, int offloadLimit, long graceNs, boolean evict, int mainBuckets, int offloadBuckets) {

    /** The least memory for items: one page of each of some size classes. */
    public static final long MIN_MEMORY = 4L << 20;
    /** The default of {@link #offloadLimit()}. */
    public static final int OFFLOAD_LIMIT = 4096;
    /** The default of {@link #graceNs()}. */
    public static final long GRACE_NS = 20_000_000;

    private static final int BYTES_PER_BUCKET = 256;
    private static final int MIN_BUCKETS = 1024;
    private static final int MAX_BUCKETS = 1 << 24;

    /** Checks. @throws IllegalArgumentException which names the value that is wrong */
    public StoreSettings {
        require(memoryLimit >= MIN_MEMORY, "memoryLimit=" + memoryLimit + ": at least " + MIN_MEMORY + " bytes");
        require(offloadLimit >= 0 && offloadLimit <= Item.MAX_LENGTH,
                "offloadLimit=" + offloadLimit + ": 0 to " + Item.MAX_LENGTH + " bytes");
        require(graceNs >= 0, "graceNs=" + graceNs + ": at least 0");
        require(isBucketCount(mainBuckets), "mainBuckets=" + mainBuckets + ": a power of two up to " + MAX_BUCKETS);
        require(isBucketCount(offloadBuckets),
                "offloadBuckets=" + offloadBuckets + ": a power of two up to " + MAX_BUCKETS);
    }

    /** Returns settings for so many bytes of items, everything else by default. */
    public static StoreSettings ofMemory(long memoryLimit) {
        long wanted = Math.max(MIN_BUCKETS, Math.min(MAX_BUCKETS, memoryLimit / BYTES_PER_BUCKET));
        int buckets = (int) Long.highestOneBit(wanted);
        return new StoreSettings(memoryLimit, OFFLOAD_LIMIT, GRACE_NS, true, buckets, buckets);
    }

    /** Returns the same with another limit of the offload index. */
    public StoreSettings withOffloadLimit(int bytes) {
        return new StoreSettings(memoryLimit, bytes, graceNs, evict, mainBuckets, offloadBuckets);
    }

    /** Returns the same with another grace time. */
    public StoreSettings withGraceNs(long ns) {
        return new StoreSettings(memoryLimit, offloadLimit, ns, evict, mainBuckets, offloadBuckets);
    }

    /** Returns the same with or without eviction. */
    public StoreSettings withEvict(boolean on) {
        return new StoreSettings(memoryLimit, offloadLimit, graceNs, on, mainBuckets, offloadBuckets);
    }

    /** Returns the same with indexes that begin with other sizes. */
    public StoreSettings withBuckets(int main, int offload) {
        return new StoreSettings(memoryLimit, offloadLimit, graceNs, evict, main, offload);
    }

    /** Returns how long a region has room for this, and for both indexes to double twice. */
    public long regionBytes() {
        long zone = 7L * ((long) mainBuckets * Long.BYTES + (long) offloadBuckets * Bucket.BYTES) + (2L << 20);
        long windows = (memoryLimit + zone >>> Memory.WINDOW_BITS) + 1;
        return Slabs.end(Slabs.pages(memoryLimit)) + zone + (windows > 1 ? windows * (64L << 20) : 0);
    }

    private static boolean isBucketCount(int buckets) {
        return buckets > 0 && buckets <= MAX_BUCKETS && Integer.bitCount(buckets) == 1;
    }

    private static void require(boolean holds, String message) {
        if (!holds) {
            throw new IllegalArgumentException(message);
        }
    }
}
