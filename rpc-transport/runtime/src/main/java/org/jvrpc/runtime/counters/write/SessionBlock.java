package org.jvrpc.runtime.counters.write;

import org.jvrpc.runtime.counters.CounterLayout;

/** The counters of a session. One thread at a time, except for what is said to be for any. */
public final class SessionBlock extends Block implements AutoCloseable {

    private static final int[] OF_LANE = {
        CounterLayout.SUCCEEDED, CounterLayout.BEGUN, CounterLayout.BYTES_IN, CounterLayout.BYTES_OUT
    };

    /** @param lane whose methods count for it; null where it counts itself */
    SessionBlock(CounterStore store, int owner, long id, Lane lane) {
        super(store, CounterLayout.SESSION, CounterLayout.SESSION_BYTES, owner,
                lane == null ? CounterLayout.NO_LANE : lane.number());
        set(CounterLayout.SESSION_ID, id);
        if (lane != null) {
            for (int counter : OF_LANE) { // what is there already is that of sessions before
                set(counter, -lane.sum(counter));
            }
        }
    }

    /** The session begins: others may read what it counts. Once. @param peer its other side, empty if not known */
    public void begin(String peer) {
        text(CounterLayout.PEER, CounterLayout.PEER_BYTES, peer);
        publish();
    }

    /** A call begins. */
    public void begins() {
        add(CounterLayout.BEGUN, 1);
    }

    /** A call that began has returned. */
    public void returned() {
        add(CounterLayout.SUCCEEDED, 1);
    }

    /** A call that began has ended otherwise. Any thread. */
    public void failed() {
        addShared(CounterLayout.FAILED, 1);
    }

    public void left(int bytes) {
        if (bytes != 0) {
            add(CounterLayout.BYTES_OUT, bytes);
        }
    }

    public void came(int bytes) {
        if (bytes != 0) {
            add(CounterLayout.BYTES_IN, bytes);
        }
    }

    /** There are so many slots. Any thread. */
    public void slots(int count) {
        set(CounterLayout.SLOTS, count);
    }

    /** So many messages may be under way. Any thread. */
    public void credits(int count) {
        set(CounterLayout.CREDITS, count);
    }

    /** A call waits. Any thread. */
    public void waits() {
        addShared(CounterLayout.SESSION_WAITS, 1);
    }

    /** A thread sleeps. Any thread. */
    public void sleeps() {
        addShared(CounterLayout.SESSION_SLEEPS, 1);
    }

    /** The session is gone: nobody counts any more. */
    @Override
    public void close() {
        free();
    }
}
