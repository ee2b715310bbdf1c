package org.jvrpc.samples.kv.store;

/** What bytes that were read at an item's address turned out to be. */
public enum ReadOutcome {
    /** The item, whole. */
    HIT,
    /** An item that was replaced, deleted or evicted: ask the server where the key is now. */
    DEAD,
    /** A mixture of two items, or too few bytes: read again. */
    TORN,
    /** Another key's item: the chunk was used again. */
    OTHER_KEY,
    /** The item, whole, whose time is over. */
    EXPIRED
}
