package org.jvrpc.runtime.counters;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A session's counters as they are read while others write them. */
class SessionPartsTest {

    /** Returns what a session shows of which so many calls were seen to return, to begin and to fail. */
    private static List<Long> shown(long returned, long begun, long failed, long... lane) {
        long[] counts = new long[SessionParts.COUNTS];
        counts[0] = returned;
        counts[1] = begun;
        counts[5] = failed;
        SessionCounters read = new SessionParts(counts, "peer", Instant.EPOCH).with(lane.length == 0 ? null : lane);
        return List.of(read.begun(), read.ended(), read.failed());
    }

    @Test
    void whatHasEndedHasBegun() {
        assertEquals(List.of(9L, 8L, 3L), shown(5, 9, 3));
        assertEquals(List.of(8L, 8L, 3L), shown(5, 7, 3), "the call that failed was seen, its begin was not");
        assertEquals(List.of(8L, 8L, 1L), shown(-3, -4, 1, 10, 10, 0, 0), "and so in its lane");
    }
}
