package org.jvrpc.samples.kv.rpc;

import org.jvrpc.offload.lookup.Outcome;
import org.jvrpc.samples.kv.rpc.KvCounts.Answered;
import org.jvrpc.samples.kv.store.ReadOutcome;

/** Gets by lookup. The client's thread. */
final class OffloadGets {

    /** An item may be replaced between the look at its bucket and the copy of its bytes, but seldom in a row. */
    private static final int TRIES = 4;

    private final LookupLinks links;

    OffloadGets(LookupLinks links) {
        this.links = links;
    }

    /** Gets. @return DIRECT when the answer has the value, or why a call has to */
    Answered get(byte[] key, Answer answer) {
        LookupLink link = links.link();
        if (link == null) {
            return Answered.BROKEN;
        }
        Answered how = Answered.STALE;
        for (int i = 0; i < TRIES && how == Answered.STALE; i++) {
            how = once(link, key, answer);
        }
        if (how == Answered.MISSED && link.refresh()) {
            how = once(link, key, answer);
        }
        if (how == Answered.BROKEN) {
            links.giveBack(link);
        }
        return how;
    }

    private static Answered once(LookupLink link, byte[] key, Answer answer) {
        Outcome outcome = link.lookUp(key);
        if (outcome == Outcome.FOUND) {
            ReadOutcome read = answer.take(link.answer(), 0, link.answer().capacity(), key);
            return read == ReadOutcome.HIT ? Answered.DIRECT
                    : read == ReadOutcome.OTHER_KEY ? Answered.MISSED : Answered.STALE;
        }
        return outcome == Outcome.MISSED ? Answered.MISSED
                : outcome == Outcome.UNFINISHED ? Answered.UNFINISHED : Answered.BROKEN;
    }
}
