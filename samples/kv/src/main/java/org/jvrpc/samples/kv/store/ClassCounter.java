package org.jvrpc.samples.kv.store;

/** What is counted for each size class, in this order in its record: new ones come last, 16 at most. */
public enum ClassCounter {
    GET_HITS, CMD_SET, DELETE_HITS, INCR_HITS, DECR_HITS, CAS_HITS, CAS_BADVAL, TOUCH_HITS, MEM_REQUESTED, EVICTED,
    OUT_OF_MEMORY, RECLAIMED, EXPIRED_UNFETCHED, EVICTED_UNFETCHED, EVICTED_ACTIVE
}
