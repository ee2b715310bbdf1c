package org.jvrpc.runtime.counters;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A session's block as it was read, to which its lane's methods are still to be added.
 *
 * @param counts from {@link CounterLayout#SUCCEEDED} to {@link CounterLayout#SESSION_SLEEPS}
 */
record SessionParts(long[] counts, String peer, Instant since) {

    static final int COUNTS = 10;
    /** So many of the first ones are the methods' where the session has a lane. */
    static final int OF_LANE = 4;

    /** @param lane the sums of its methods; null for a session that counts itself, or that has called nothing */
    SessionCounters with(long @Nullable [] lane) {
        long[] all = counts.clone();
        for (int i = 0; i < OF_LANE; i++) { // a lane may have been read before the session that has it now began
            all[i] = Math.max(all[i] + (lane == null ? 0 : lane[i]), 0);
        }
        long returned = all[0];
        long failed = all[5];
        long ended = returned + failed;
        long begun = Math.max(all[1], ended); // others count meanwhile, and what they wrote may be seen in any order
        return new SessionCounters(all[4], peer, since, begun, ended, failed, all[2], all[3], all[6],
                all[7], all[8], all[9]);
    }
}
