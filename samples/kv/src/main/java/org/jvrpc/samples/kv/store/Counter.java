package org.jvrpc.samples.kv.store;

import java.util.Locale;

/**
 * What the store counts, in the superblock, in this order: new ones come last. Those that bear the name of one of
 * memcached's statistics mean the same.
 */
public enum Counter {
    CMD_GET, CMD_SET, CMD_FLUSH, CMD_TOUCH, CMD_META, GET_HITS, GET_MISSES, GET_EXPIRED, GET_FLUSHED, DELETE_MISSES,
    DELETE_HITS, INCR_MISSES, INCR_HITS, DECR_MISSES, DECR_HITS, CAS_MISSES, CAS_HITS, CAS_BADVAL, TOUCH_HITS,
    TOUCH_MISSES, STORE_TOO_LARGE, STORE_NO_MEMORY, TOTAL_ITEMS, EXPIRED_UNFETCHED, EVICTED_UNFETCHED, EVICTED_ACTIVE,
    EVICTIONS, RECLAIMED, MOVES_TO_COLD, MOVES_TO_WARM, MOVES_WITHIN_LRU, SLABS_MOVED, QUARANTINE_CUT, OFFLOAD_REFUSED,
    REPAIRS;

    private final String label = name().toLowerCase(Locale.ROOT);

    /** Returns the name that statistics show. */
    public String label() {
        return label;
    }
}
