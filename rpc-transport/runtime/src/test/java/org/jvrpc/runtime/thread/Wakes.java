package org.jvrpc.runtime.thread;

import java.util.ArrayList;
import java.util.List;

/** Where a poller sleeps in a test: notes for how long, and does what the test has happen meanwhile. One thread. */
public final class Wakes implements Events {

    public final List<Long> sleeps = new ArrayList<>();
    public Runnable whenAsleep = () -> {
        throw new AssertionError("nobody sleeps");
    };
    /** How often somebody was woken. */
    public int count;

    @Override
    public void await(long timeoutNs) {
        if (timeoutNs > 0) {
            sleeps.add(timeoutNs);
            whenAsleep.run();
        }
    }

    @Override
    public void wakeup() {
        count++;
    }
}
