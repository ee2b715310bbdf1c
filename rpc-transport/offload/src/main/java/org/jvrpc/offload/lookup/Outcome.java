package org.jvrpc.offload.lookup;

/** How a lookup ended. */
public enum Outcome {
    /** The answer is there. */
    FOUND,
    /** The program is through, and found nothing. */
    MISSED,
    /** The program did not end in time; nothing can be asked until it has. */
    UNFINISHED,
    /** The connection is gone, or the program was cut off: close the client, connect another. */
    BROKEN
}
