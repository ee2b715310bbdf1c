package org.jvrpc.runtime.verbs;

/**
 * How long a link waits for its peer before it is given up.
 *
 * @param longestSendNs in which the device completes a send or fails it, in nanoseconds
 */
record Patience(long longestSendNs) {

    private static final long ROOM_NS = 5_000_000_000L;
    /** How much longer a long READ may take than a short send: 10 MB/s, which an emulated device reaches. */
    private static final long NS_PER_BYTE = 100;

    /** Returns how long the peer may leave the send queue without room, in nanoseconds. */
    long roomNs() {
        return Math.max(longestSendNs, ROOM_NS);
    }

    /** Returns how long a READ of so many bytes may take, in nanoseconds. */
    long fetchNs(int bytes) {
        return roomNs() + bytes * NS_PER_BYTE;
    }
}
