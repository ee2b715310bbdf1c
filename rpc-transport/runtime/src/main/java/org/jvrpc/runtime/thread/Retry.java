package org.jvrpc.runtime.thread;

/** When to try again: at once, then after pauses that double from 1 ms to 500 ms. One thread. */
public final class Retry {

    private static final long FIRST_PAUSE_NS = 1_000_000;
    private static final long MAX_PAUSE_NS = 500_000_000;
    private static final long NEVER_NS = 3_600_000_000_000L;

    private final boolean enabled;
    private long pauseNs = FIRST_PAUSE_NS;
    private long nextNs;
    private boolean waiting;
    private volatile String reason = "";

    /** @param enabled false for one that never does */
    public Retry(boolean enabled) {
        this.enabled = enabled;
    }

    /** Returns how long to wait, in nanoseconds; 0 when it is time. */
    public long waitNs(long nowNs) {
        if (!enabled) {
            return NEVER_NS;
        }
        return waiting ? Math.max(0, nextNs - nowNs) : 0;
    }

    public void failed(Exception cause, long nowNs) {
        reason = cause.getMessage();
        waiting = true;
        nextNs = nowNs + pauseNs;
        pauseNs = Math.min(pauseNs * 2, MAX_PAUSE_NS);
    }

    public void succeeded() {
        reason = "";
        waiting = false;
        pauseNs = FIRST_PAUSE_NS;
    }

    /** Returns why the last try failed, for a message; empty when it did not. Any thread. */
    public String reason() {
        return reason;
    }
}
