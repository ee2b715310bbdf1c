package org.jvrpc.roce.cm;

import java.util.stream.LongStream;
import org.jvrpc.roce.cm.message.Verdict;

/** How often what was dropped or refused. One thread at a time, as the manager. */
public final class CmCounters {

    /** Why a message that makes sense is of no use. */
    public enum Drop {
        /** Its ids are nobody's. */
        UNKNOWN,
        /** Its ids are somebody's, but address, other id, QPN or TID are not. */
        STRANGER,
        /** It came before, or nobody waits for it. */
        OUT_OF_PLACE,
        /** There were so many half-open connections that it was given up for a newer one. */
        CAPPED
    }

    private final long[] refusals = new long[Verdict.values().length];
    private final long[] drops = new long[Drop.values().length];

    void refused(Verdict verdict) {
        refusals[verdict.ordinal()]++;
    }

    void dropped(Drop why) {
        drops[why.ordinal()]++;
    }

    /** Returns how many messages a check refused for a reason. */
    public long refusals(Verdict verdict) {
        return refusals[verdict.ordinal()];
    }

    /** Returns how many messages were dropped for a reason. */
    public long drops(Drop why) {
        return drops[why.ordinal()];
    }

    /** Returns how many messages were of no use, for whatever reason. */
    public long total() {
        return LongStream.concat(LongStream.of(refusals), LongStream.of(drops)).sum();
    }
}
