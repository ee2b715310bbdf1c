package org.jvrpc.offload.hull;

/** What an offer met. */
public enum Offered {
    /** There was none of this name. */
    NEW,
    /** The same was offered already, by an application before: its clients notice nothing. */
    SAME,
    /** There was another of this name: clients that have it keep it, those to come get the new one. */
    REPLACED
}
