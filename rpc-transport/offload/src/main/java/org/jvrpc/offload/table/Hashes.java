package org.jvrpc.offload.table;

/**
 * Where a key of 48 bits may be. Part of the layout: clients compute it, too. The formulas are those of the key-value
 * sample's store, so that tables of the two can take each other's place. Any thread.
 */
public final class Hashes {

    private static final long P1 = 0x9e3779b97f4a7c15L;
    private static final long P2 = 0xd6e8feb86659fd93L;

    private Hashes() {
    }

    /** Returns the number of the first bucket. @param mask buckets - 1, a power of two less one */
    public static long first(long key, long mask) {
        return key & mask;
    }

    /** Returns the number of the second bucket of a cuckoo table, which may be the first one again. */
    public static long second(long key, long mask) {
        return mix(key ^ P1) & mask;
    }

    /** Returns the number of the bucket next to the first, which is the second one of a hopscotch table. */
    public static long next(long key, long mask) {
        return first(key, mask) + 1 & mask;
    }

    private static long mix(long value) {
        long h = value;
        h = (h ^ h >>> 32) * P2;
        h = (h ^ h >>> 29) * P1;
        return h ^ h >>> 32;
    }
}
