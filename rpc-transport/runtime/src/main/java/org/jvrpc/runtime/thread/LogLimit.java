package org.jvrpc.runtime.thread;

/** Lets one line of a log through in a period, and counts those that it keeps back. Any thread. */
public final class LogLimit {

    /** Returned by {@link #pass} when a line is to be kept back. */
    public static final long KEEP_BACK = -1;

    private final long periodNs;
    private long lastNs;
    private boolean begun;
    private long kept;

    public LogLimit(long periodNs) {
        this.periodNs = periodNs;
    }

    /** Returns {@link #KEEP_BACK}, or the number of lines that were kept back since the last one that was not. */
    public synchronized long pass(long nowNs) {
        if (begun && nowNs - lastNs < periodNs) {
            kept++;
            return KEEP_BACK;
        }
        long before = kept;
        begun = true;
        lastNs = nowNs;
        kept = 0;
        return before;
    }
}
