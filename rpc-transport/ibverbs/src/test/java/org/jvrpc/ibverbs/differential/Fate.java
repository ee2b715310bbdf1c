package org.jvrpc.ibverbs.differential;

/** What becomes of a packet. */
enum Fate {
    /** It arrives. */
    ARRIVES,
    /** It does not. */
    LOST,
    /** It arrives, and again at once. */
    TWICE,
    /** Another overtakes it, or it arrives some milliseconds later. */
    LATE,
    /** One bit of it is wrong. */
    DAMAGED
}
