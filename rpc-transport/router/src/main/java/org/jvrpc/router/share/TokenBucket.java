package org.jvrpc.router.share;

/**
 * Tokens that come at a rate, in billionths of one. What is taken may be more than there is: the debt is paid before
 * more may be taken, so that over time the rate is exact, whatever the pieces are.
 */
final class TokenBucket {

    private static final long NANO = 1_000_000_000;
    /** What comes in this time is kept: less would be lost whenever the worker was put aside for a time slice. */
    private static final long KEPT_NS = 20_000_000;
    /** A higher rate is no limit on any machine, and would overflow. */
    private static final long MOST_RATE = 1L << 38;
    private static final long MOST_AMOUNT = 1L << 31;

    private final long least;
    private long rate;
    private long most;
    private long level;
    private long lastNs;
    private boolean begun;

    /**
     * A full one.
     *
     * @param rate tokens a second; 0: no limit
     * @param least tokens that are kept whatever the rate
     */
    TokenBucket(long rate, long least) {
        this.least = least;
        set(rate);
        level = most;
    }

    /** Sets another rate. What there is stays, as far as it would be kept. */
    void change(long newRate) {
        boolean was = isLimited();
        set(newRate);
        level = was ? Math.min(level, most) : most;
    }

    private void set(long newRate) {
        rate = newRate > MOST_RATE ? 0 : newRate;
        most = Math.max(rate * KEPT_NS, least * NANO);
    }

    private boolean isLimited() {
        return rate > 0;
    }

    private void fill(long nowNs) {
        if (!begun) {
            begun = true;
            lastNs = nowNs;
        }
        long passedNs = nowNs - lastNs;
        if (passedNs <= 0) {
            return;
        }
        lastNs = nowNs;
        if (isLimited()) {
            level = passedNs >= (most - level) / rate ? most : level + passedNs * rate;
        }
    }

    /** Tells whether there is any. */
    boolean has(long nowNs) {
        fill(nowNs);
        return !isLimited() || level > 0;
    }

    void take(long amount) {
        if (isLimited()) {
            level = Math.max(level - Math.min(amount, MOST_AMOUNT) * NANO, -MOST_AMOUNT * NANO);
        }
    }

    /** Returns when there is some; now when there is. */
    long nextNs(long nowNs) {
        return has(nowNs) ? nowNs : nowNs + -level / rate + 1;
    }
}
