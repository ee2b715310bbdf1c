package org.jvrpc.router.lane;

/** How much of a pair's memory the connections of one tenant hold. The worker's thread. */
final class Holder {

    private static final long BARRED_NS = 10_000_000_000L;

    private int held;
    private int users;
    private long barredUntilNs;
    private boolean barred;

    void use(int more) {
        users += more;
    }

    boolean isUsed() {
        return users > 0;
    }

    /** It took memory back that was just being used: others had to copy because of that. */
    void bar(long nowNs) {
        barred = true;
        barredUntilNs = nowNs + BARRED_NS;
    }

    /** Tells whether what its tenant sends is copied. */
    boolean isBarred(long nowNs) {
        barred &= barredUntilNs - nowNs > 0;
        return barred;
    }

    void hold(int more) {
        held += more;
    }

    int held() {
        return held;
    }
}
