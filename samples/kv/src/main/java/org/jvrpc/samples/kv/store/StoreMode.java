package org.jvrpc.samples.kv.store;

/** Ways of storing. */
public enum StoreMode {
    /** In any case. */
    SET,
    /** When there is none. */
    ADD,
    /** When there is one. */
    REPLACE,
    /** Behind the value that is there. */
    APPEND,
    /** Before the value that is there. */
    PREPEND,
    /** When there is one of the given version. */
    CAS
}
