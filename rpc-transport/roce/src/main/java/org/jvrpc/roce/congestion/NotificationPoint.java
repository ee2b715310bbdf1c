package org.jvrpc.roce.congestion;

/**
 * DCQCN's receiver: says for which marked packets a CNP goes back, at most one for each flow in an interval. A marked
 * packet that comes sooner is counted and draws none, also not later: the next one behind the interval does. Immutable;
 * the state is the flow's.
 *
 * <p>Source: SIGCOMM 2015, section 3.1; NVIDIA's MIN_TIME_BETWEEN_CNPS.
 */
public final class NotificationPoint {

    /** What a receiving QP keeps: when it last sent a CNP, and counts. One thread. */
    public static final class Flow {

        private long lastNs;
        private long marked;
        private long notified;

        /** Returns how many packets came with a mark. */
        public long marked() {
            return marked;
        }

        /** Returns how many CNPs were due. */
        public long notified() {
            return notified;
        }
    }

    static final long INTERVAL_MOST_NS = 1_000_000_000;

    private final long intervalNs;

    /**
     * Prepares one for any number of flows.
     *
     * @param intervalNs least time between two CNPs of a flow, 0 (each mark draws one) to 1 s
     */
    public NotificationPoint(long intervalNs) {
        this.intervalNs = Rates.check("intervalNs", intervalNs, 0, INTERVAL_MOST_NS);
    }

    /**
     * Takes note of a data packet that came.
     *
     * @param trafficClass IPv4's TOS or IPv6's traffic class
     * @return whether a CNP goes to the sender now
     */
    public boolean received(Flow flow, int trafficClass, long nowNs) {
        if (!Ecn.isMarked(trafficClass)) {
            return false;
        }
        flow.marked++;
        if (flow.notified > 0 && nowNs - flow.lastNs < intervalNs) {
            return false;
        }
        flow.notified++;
        flow.lastNs = nowNs;
        return true;
    }
}
