package org.jvrpc.softrnic.queue;

/** What is told the time by whoever waits for events. */
public interface Timed {

    /** Looks at the time, which is monotonic, in nanoseconds. */
    void tick(long nowNs);

    /** Returns the longest time between two ticks, in nanoseconds. */
    long intervalNs();
}
