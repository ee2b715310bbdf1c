package org.jvrpc.samples.kv.store;

import java.util.concurrent.atomic.AtomicLong;

/** A time that stands still until it is moved. */
public final class FakeClock implements Clock {

    private final AtomicLong nanos = new AtomicLong();
    private final long start;

    /** Begins at a second of Unix time. */
    public FakeClock(long unixSeconds) {
        start = unixSeconds;
    }

    /** Moves it. */
    public void addSeconds(long seconds) {
        nanos.addAndGet(seconds * 1_000_000_000);
    }

    /** Moves it. */
    public void addNanos(long ns) {
        nanos.addAndGet(ns);
    }

    @Override
    public long seconds() {
        return start + nanos.get() / 1_000_000_000;
    }

    @Override
    public long nanos() {
        return nanos.get();
    }
}
