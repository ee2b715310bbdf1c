package org.jvrpc.samples.kv.store;

/** How a command ended. */
public enum StoreResult {
    /** The item was there. */
    HIT,
    /** Stored, or changed. */
    STORED,
    /** The condition of add, replace, append or prepend did not hold. */
    NOT_STORED,
    /** The version was another one. */
    EXISTS,
    /** No such key. */
    NOT_FOUND,
    /** Removed. */
    DELETED,
    /** The value is no number. */
    NON_NUMERIC,
    /** The value is longer than {@link Item#MAX_VALUE}. */
    TOO_LARGE,
    /** No memory, and nothing may be evicted for it. */
    OUT_OF_MEMORY
}
