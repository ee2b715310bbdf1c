package org.jvrpc.runtime.counters.write;

import org.jvrpc.api.Status;
import org.jvrpc.runtime.counters.CounterLayout;
import org.jvrpc.runtime.counters.LatencyBuckets;

/**
 * The counters of a method in one lane. One thread at a time, that of the lane, except for what is said to be for any.
 */
public final class MethodBlock extends Block {

    private final int period;
    private final boolean timed;
    private long begun;
    private int next = 1;

    /** @param period of how many calls one is timed, a power of two; 0 for none, and no histogram */
    MethodBlock(CounterStore store, int owner, int lane, String service, String method, int period) {
        super(store, CounterLayout.METHOD,
                period > 0 ? CounterLayout.METHOD_BYTES : CounterLayout.BRIEF_METHOD_BYTES, owner, lane);
        this.period = period;
        this.timed = period > 0;
        text(CounterLayout.SERVICE, CounterLayout.SERVICE_BYTES, service);
        text(CounterLayout.METHOD_NAME, CounterLayout.METHOD_NAME_BYTES, method);
        publish();
    }

    /** Returns for how many the call is timed that begins next, or 0 where it is not. */
    public int weight() {
        return next;
    }

    /** A call has begun. */
    public void begun() {
        long number = ++begun;
        set(CounterLayout.BEGUN, number);
        // The first ones count once each, so that few calls have a histogram, too.
        next = number < period ? 1 : (number & period - 1) == 0 ? period : 0;
    }

    /** Bytes of bodies left. */
    public void left(int bytes) {
        if (bytes != 0) {
            add(CounterLayout.BYTES_OUT, bytes);
        }
    }

    /** Bytes of bodies came. */
    public void came(int bytes) {
        if (bytes != 0) {
            add(CounterLayout.BYTES_IN, bytes);
        }
    }

    /** A call returned. */
    public void succeeded() {
        add(CounterLayout.SUCCEEDED, 1);
    }

    /** A call failed. Any thread. */
    public void failed(Status status) {
        addShared(CounterLayout.FAILURES + status.code() * Long.BYTES, 1);
    }

    /** A call ended with a declared exception. Any thread. */
    public void thrown() {
        addShared(CounterLayout.THROWN, 1);
    }

    /** A call that is timed was answered. */
    public void took(long ns, int weight) {
        if (timed) {
            add(CounterLayout.HISTOGRAM + LatencyBuckets.indexOf(ns) * Long.BYTES, weight);
            add(CounterLayout.TOTAL_NS, ns * weight);
        }
    }
}
