package org.jvrpc.runtime.guard;

/**
 * How much there may be in a second: it fills up evenly, to what a second may have, and whoever finds it not empty may
 * take what they need, if that leaves it owing. So what is larger than a second's share passes, too, and is waited for
 * afterwards. One thread at a time.
 */
final class RateBucket {

    private static final double SECOND_NS = 1e9;

    private final double perSecond;
    private double level;
    private long sinceNs;

    RateBucket(long perSecond, long nowNs) {
        this.perSecond = perSecond;
        this.level = perSecond;
        this.sinceNs = nowNs;
    }

    private void fill(long nowNs) {
        long passedNs = nowNs - sinceNs;
        if (passedNs > 0) {
            level = Math.min(perSecond, level + passedNs / SECOND_NS * perSecond);
            sinceNs = nowNs;
        }
    }

    /** Returns false while nothing may be taken. */
    boolean mayTake(long nowNs) {
        fill(nowNs);
        return level > 0 && level >= Math.min(1, perSecond);
    }

    void take(long amount) {
        level -= amount;
    }

    /** Returns true when it is as if nobody had ever taken of it. */
    boolean isFull(long nowNs) {
        fill(nowNs);
        return level >= perSecond;
    }

    /** Returns after how long something may be taken again, in nanoseconds. */
    long waitNs() {
        return level >= 1 ? 0 : (long) ((1 - level) / perSecond * SECOND_NS);
    }
}
