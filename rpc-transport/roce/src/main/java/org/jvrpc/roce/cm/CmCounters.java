package org.jvrpc.roce.cm;

import java.util.concurrent.atomic.AtomicLongArray;
import org.jvrpc.roce.cm.message.Verdict;

/** How often what was dropped or refused. Read by any thread. */
public final class CmCounters {

    /** Why a message that makes sense is of no use. */
    public enum Drop {
        /** Its ids are nobody's. */
        UNKNOWN,
        /** Its ids are somebody's, but address, other id, QPN or TID are not. */
        STRANGER,
        /** It came before, or nobody waits for it. */
        OUT_OF_PLACE,
        /** Too many half-open connections. */
        CAPPED
    }

    private final AtomicLongArray refusals = new AtomicLongArray(Verdict.values().length);
    private final AtomicLongArray drops = new AtomicLongArray(Drop.values().length);

    void refused(Verdict verdict) {
        refusals.incrementAndGet(verdict.ordinal());
    }

    void dropped(Drop why) {
        drops.incrementAndGet(why.ordinal());
    }

    /** Returns how many messages a check refused for a reason. */
    public long refusals(Verdict verdict) {
        return refusals.get(verdict.ordinal());
    }

    /** Returns how many messages were dropped for a reason. */
    public long drops(Drop why) {
        return drops.get(why.ordinal());
    }
}
