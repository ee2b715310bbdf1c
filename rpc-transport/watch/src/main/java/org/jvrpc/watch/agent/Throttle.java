package org.jvrpc.watch.agent;

/**
 * Which share of its rate an agent uses: half of it when the agent takes too much of a core or comes late to its own
 * probes, a quarter when most of what it sends is lost, so that nobody feeds a storm; then a tenth more each time. One
 * thread.
 */
final class Throttle {

    private static final double LEAST = 1.0 / 64;
    private static final double MORE = 0.1;
    private static final long LATE_NS = 5_000_000;
    private static final double MOST_LOST = 0.5;
    private static final int ENOUGH = 10;

    private final double cpuLimit;
    private double share = 1;
    private String reason;

    Throttle(double cpuLimit) {
        this.cpuLimit = cpuLimit;
    }

    /** Returns the share of now, above 0, at most 1. */
    double share() {
        return share;
    }

    /** Returns why it was lowered last, or null when it is 1. */
    String reason() {
        return reason;
    }

    /** The agent took so much of a core lately. */
    void cpu(double used) {
        if (used > cpuLimit) {
            lower(2, "agent takes " + percent(used) + " of a core, limit " + percent(cpuLimit));
        }
    }

    /** A window is over. @param proberP99Ns what the own host adds to probes */
    void window(int sent, int lost, long proberP99Ns) {
        if (sent >= ENOUGH && lost > MOST_LOST * sent) {
            lower(4, lost + " of " + sent + " probes lost");
        } else if (proberP99Ns > LATE_NS) {
            lower(2, "own delay " + proberP99Ns / 1_000 + " us, limit " + LATE_NS / 1_000 + " us");
        } else {
            share = Math.min(1, share + MORE);
            reason = share < 1 ? reason : null;
        }
    }

    private void lower(double by, String why) {
        share = Math.max(LEAST, share / by);
        reason = why;
    }

    private static String percent(double of) {
        return Math.round(of * 1000) / 10.0 + " %";
    }
}
