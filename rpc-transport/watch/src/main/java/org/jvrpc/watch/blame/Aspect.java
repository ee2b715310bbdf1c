package org.jvrpc.watch.blame;

/** What is bad about a probe. */
enum Aspect {

    /** It was lost: judged way by way. */
    LOSS(Thresholds.LOSS, Thresholds.LEAST_LOSS, -1),

    /** It was far later than nearly all of its class: judged over both ways, as the time is one of both. */
    LATE(Thresholds.LATE, Thresholds.LEAST_LATE, Evidence.GONE_LATE),

    /** It was slower than most of its class. */
    SHIFTED(Thresholds.SHIFTED, Thresholds.LEAST_SHIFTED, Evidence.GONE_SHIFTED);

    /** The share of bad ones on a sound way. */
    final double base;

    /** The share from which on it matters. */
    final double least;

    /** Where it is noted that a flow's time is explained; below 0: ways are noted each. */
    final int gone;

    Aspect(double base, double least, int gone) {
        this.gone = gone;
        this.base = base;
        this.least = least;
    }

    /** Returns how many that came back are bad; -1 when that cannot be said yet. */
    int bad(Evidence evidence, int flow, Baselines baselines) {
        long limitNs = this == LATE ? baselines.lateNs(evidence, flow) : baselines.shiftedNs(evidence, flow);
        int received = evidence.received(flow);
        if (limitNs == Long.MAX_VALUE || received <= 0) {
            return -1;
        }
        int tail = evidence.tail(flow);
        return (evidence.p50(flow) > limitNs ? received - tail : 0) + (evidence.p99(flow) > limitNs ? tail : 0);
    }
}
