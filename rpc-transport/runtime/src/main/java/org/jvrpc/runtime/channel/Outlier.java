package org.jvrpc.runtime.channel;

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;

/** How the calls of one server ended, and whether it is ejected. Counted by any thread, judged under a lock. */
final class Outlier {

    private final AtomicInteger inARow = new AtomicInteger();
    private final LongAdder successes = new LongAdder();
    private final LongAdder failures = new LongAdder();
    private final AtomicBoolean probing = new AtomicBoolean();
    private volatile boolean ejected;
    private volatile long untilNs;
    private int times;

    /** A connection begins: what was before it is over, but for how often it was ejected. */
    void begin() {
        inARow.set(0);
        ejected = false;
        probing.set(false);
    }

    /** Returns how many in a row have failed. */
    int ended(boolean failed) {
        if (failed) {
            failures.increment();
            return inARow.incrementAndGet();
        }
        successes.increment();
        if (inARow.get() != 0) {
            inARow.set(0);
        }
        return 0;
    }

    boolean isEjected() {
        return ejected;
    }

    /** @return true when a call may be made to see whether it is well again, by this caller alone */
    boolean tryProbe(long nowNs) {
        return ejected && nowNs - untilNs >= 0 && probing.compareAndSet(false, true);
    }

    boolean isDue(long nowNs) {
        return ejected && nowNs - untilNs >= 0;
    }

    void probeOver() {
        probing.set(false);
    }

    /** Ejects it, for longer each time. */
    void eject(long nowNs, long baseNs, long maxNs) {
        times = times + 1;
        untilNs = nowNs + (times > maxNs / baseNs ? maxNs : Math.min(maxNs, baseNs * times));
        ejected = true;
        inARow.set(0);
    }

    /** A probe succeeded. */
    void bringBack() {
        ejected = false;
        inARow.set(0);
        successes.reset();
        failures.reset();
    }

    /** It stayed in for an interval: the next time is shorter. */
    void forgive() {
        if (!ejected && times > 0) {
            times--;
        }
    }

    /** Returns the calls since this was last asked. */
    long[] takeCounts() {
        return new long[] {successes.sumThenReset(), failures.sumThenReset()};
    }
}
