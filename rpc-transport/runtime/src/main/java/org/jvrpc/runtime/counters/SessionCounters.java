package org.jvrpc.runtime.counters;

import java.time.Instant;

/**
 * What a session counted.
 *
 * @param id its server's number of it; that of a client is one of its own
 * @param peer the other side's address or host, where it is known, else empty
 * @param beganAt when it began
 * @param begun calls of it that began, one-way calls among them
 * @param ended those that ended
 * @param failed those of them that failed
 * @param bytesIn of bodies that came, without headers
 * @param bytesOut of bodies that left, without headers
 * @param slots how many calls it has memory for
 * @param credits how many messages without an answer may be under way
 * @param waits calls of a client that did not have their answer after the first polls
 * @param sleeps how often a thread went to sleep for its answer
 */
public record SessionCounters(
        long id,
        String peer,
        Instant beganAt,
        long begun,
        long ended,
        long failed,
        long bytesIn,
        long bytesOut,
        long slots,
        long credits,
        long waits,
        long sleeps) {

    /** Returns the calls under way. */
    public long inFlight() {
        return Math.max(begun - ended, 0);
    }
}
