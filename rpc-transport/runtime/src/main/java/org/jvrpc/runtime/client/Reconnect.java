package org.jvrpc.runtime.client;

/** When to connect again: at once, then after pauses that double from 1 ms to 500 ms. Event thread, but for explain. */
final class Reconnect {

    private static final long FIRST_PAUSE_NS = 1_000_000;
    private static final long MAX_PAUSE_NS = 500_000_000;
    private static final long NEVER_NS = 3_600_000_000_000L;

    private final boolean enabled;
    private long pauseNs = FIRST_PAUSE_NS;
    private long nextNs;
    private boolean waiting;
    private volatile String reason = "";

    Reconnect(boolean enabled) {
        this.enabled = enabled;
    }

    /** Returns how long to wait, in nanoseconds; 0 when it is time. */
    long waitNs(long nowNs) {
        if (!enabled) {
            return NEVER_NS;
        }
        return waiting ? Math.max(0, nextNs - nowNs) : 0;
    }

    void failed(Exception cause, long nowNs) {
        reason = ": " + cause.getMessage();
        waiting = true;
        nextNs = nowNs + pauseNs;
        pauseNs = Math.min(pauseNs * 2, MAX_PAUSE_NS);
    }

    void succeeded() {
        reason = "";
        waiting = false;
        pauseNs = FIRST_PAUSE_NS;
    }

    /** Returns why there is no connection, for a message. */
    String explain() {
        return enabled ? reason : ", and the client does not connect again";
    }
}
