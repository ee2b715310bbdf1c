package org.apache.zookeeper;

/**
 * How long a caller polls for its answer before it leaves that to the SendThread: longer while answers come in that
 * time, shorter while they do not, such as those to writes on a slow disk. Holds no clock. Who has the turn.
 */
final class CallerBudget {

    private static final long MIN_NS = 20_000;
    private static final long MAX_NS = 640_000;

    private long ns = MAX_NS;

    /** Returns the budget in nanoseconds. */
    long ns() {
        return ns;
    }

    /** Notes whether an answer came in time. */
    void note(boolean came) {
        ns = came ? Math.min(2 * ns, MAX_NS) : Math.max(ns / 2, MIN_NS);
    }
}
