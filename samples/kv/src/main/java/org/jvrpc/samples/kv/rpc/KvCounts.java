package org.jvrpc.samples.kv.rpc;

import java.util.concurrent.atomic.AtomicLongArray;

/** How a client's gets were answered. Counted by the client's thread; any thread reads. */
public final class KvCounts {

    /** How a get was answered. */
    public enum Answered {
        /** By READ or lookup, without a call. */
        DIRECT,
        /** By a call, as the way is. */
        CALLED,
        /** By a call, because none had told yet where the item lies. */
        UNLEARNED,
        /** By a call, because the program did not find the key. */
        MISSED,
        /** By a call, because what was read was freed, torn, another key's or out of time. */
        STALE,
        /** By a call, because the program did not end in time. */
        UNFINISHED,
        /** By a call, because there was no connection to the host of lookups. */
        BROKEN
    }

    private static final int COUNT = Answered.values().length;

    private final AtomicLongArray counts = new AtomicLongArray(COUNT);

    KvCounts() {
    }

    void count(Answered how) {
        // One writer, and readers who only want a number that is near: no locked instruction.
        int i = how.ordinal();
        counts.setOpaque(i, counts.getPlain(i) + 1);
    }

    /** Returns how many gets were answered so. */
    public long get(Answered how) {
        return counts.getOpaque(how.ordinal());
    }

    /** Returns how many gets of a way without calls were answered by one all the same. */
    public long fallBacks() {
        long sum = 0;
        for (int i = Answered.UNLEARNED.ordinal(); i < COUNT; i++) {
            sum += counts.getOpaque(i);
        }
        return sum;
    }
}
