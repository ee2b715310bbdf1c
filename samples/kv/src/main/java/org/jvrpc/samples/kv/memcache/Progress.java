package org.jvrpc.samples.kv.memcache;

/** Why a session stopped. */
enum Progress {
    /** There is no whole command any more. */
    NEED_INPUT,
    /** The answers should be sent first. */
    OUTPUT_FULL,
    /** To be closed when the answers are sent. */
    CLOSE
}
