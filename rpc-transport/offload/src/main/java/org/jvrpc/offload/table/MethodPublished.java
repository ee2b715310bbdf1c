package org.jvrpc.offload.table;

/** What became of an answer that was to be published. Whatever it is, no older answer is found any more. */
public enum MethodPublished {
    /** Programs find it. */
    PUBLISHED,
    /** A publication or removal that began later has been there: its answer, if any, is found. */
    SUPERSEDED,
    /** It is longer than the table's answers may be: programs find none. */
    TOO_LONG,
    /** The table is full: programs find none. */
    NO_ROOM
}
