package org.jvrpc.verbs;

/**
 * What an SRQ is made with. Source: ibv_create_srq(3).
 *
 * @param maxWr receives that may be outstanding, 1 to 16384; a device may have room for some more
 * @param maxSge SGEs that a receive may have, 1 to 16
 */
public record SharedReceiveQueueAttributes(int maxWr, int maxSge) {

    /** Checks the values. */
    public SharedReceiveQueueAttributes {
        QueuePairAttributes.inRange("maxWr", maxWr, 1, 16384);
        QueuePairAttributes.inRange("maxSge", maxSge, 1, 16);
    }
}
