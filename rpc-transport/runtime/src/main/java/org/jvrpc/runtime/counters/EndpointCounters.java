package org.jvrpc.runtime.counters;

import java.time.Instant;
import java.util.List;

/**
 * What a client or a server counted. Counts begin with it and go when it closes.
 *
 * @param id one of its process, the same for as long as it is there
 * @param address what it was connected or bound to, with the port that it got
 * @param madeAt when it was made
 * @param methods by service and name; overloaded ones together
 * @param sessions that there are now, in the order in which they began
 * @param sessionsOpened sessions that ever were
 * @param reconnects sessions behind the first that a client made because one was lost
 * @param connectsFailed attempts to do so that failed
 * @param waits calls of a client that did not have their answer after the first polls
 * @param sleeps how often threads went to sleep: those that wait for an answer, and those that poll
 * @param offloaded calls of a client that programs answered; they are in no method
 * @param queued heavy calls of a server that wait for its executor now
 */
public record EndpointCounters(
        long id,
        Role role,
        String address,
        Instant madeAt,
        List<MethodCounters> methods,
        List<SessionCounters> sessions,
        long sessionsOpened,
        long reconnects,
        long connectsFailed,
        long waits,
        long sleeps,
        long offloaded,
        long queued) {

    /** Which side it is. */
    public enum Role {
        CLIENT,
        SERVER
    }

    /** Returns the calls of all methods that have ended. */
    public long calls() {
        return methods.stream().mapToLong(MethodCounters::calls).sum();
    }

    /** Returns those of them that failed; see {@link MethodCounters#failed()}. */
    public long failed() {
        return methods.stream().mapToLong(MethodCounters::failed).sum();
    }

    /** Returns the latencies of all methods. */
    public LatencyHistogram latencies() {
        LatencyHistogram all = LatencyHistogram.EMPTY;
        for (MethodCounters method : methods) {
            all = all.plus(method.latencies());
        }
        return all;
    }
}
