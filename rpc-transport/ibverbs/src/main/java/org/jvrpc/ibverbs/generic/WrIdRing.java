package org.jvrpc.ibverbs.generic;

import java.lang.invoke.VarHandle;
import java.util.concurrent.locks.LockSupport;

/**
 * The user's ids of the WRs of a send or receive queue, in places that are taken and given back in order. A place is
 * given back when a completion of it, or of a later one, is polled: what a card's provider does, too, and what keeps
 * the CQ from overrunning. One thread posts, one polls.
 */
final class WrIdRing {

    private static final long LOOK_NS = 1_000_000;

    private final long id;
    private final int capacity;
    private final long[] wrIds;
    private int head;
    private volatile int tail;

    /**
     * @param id of place 0
     * @param capacity WRs that may be outstanding
     */
    WrIdRing(long id, int capacity) {
        this.id = id;
        this.capacity = capacity;
        this.wrIds = new long[GenericDriver.roundUp(capacity)];
    }

    int capacity() {
        return capacity;
    }

    /** Returns how many WRs may be posted. The posting thread. */
    int room() {
        return capacity - (head - tail);
    }

    /** Returns the place that was taken first of those outstanding. */
    int oldest() {
        return tail;
    }

    /** Returns how many are outstanding. */
    int outstanding() {
        return head - tail;
    }

    /**
     * Waits until nothing is outstanding, so long at most: what is not signalled is given back with a later completion
     * only, and the poller may be this thread. The posting thread.
     *
     * @return false when something still is
     */
    boolean awaitNone(long boundNs) {
        long startNs = System.nanoTime();
        while (outstanding() > 0) {
            long leftNs = boundNs - (System.nanoTime() - startNs);
            if (leftNs <= 0) {
                return false;
            }
            LockSupport.parkNanos(Math.min(leftNs, LOOK_NS));
        }
        return true;
    }

    /** Notes the id of the WR that will be posted after {@code ahead} others; returns its {@code wr_id}. */
    long stamp(int ahead, long wrId) {
        int place = head + ahead;
        wrIds[place & wrIds.length - 1] = wrId;
        return WrId.place(id, place);
    }

    /** Returns the place that the WR takes that will be posted after {@code ahead} others. */
    int place(int ahead) {
        return head + ahead;
    }

    /** Makes what was stamped visible to the thread that polls; before the native call. */
    static void publish() {
        VarHandle.releaseFence(); // the poller has it after the CQE, which the device writes after the post
    }

    /** Takes the places of WRs that were posted. */
    void advance(int count) {
        head += count;
    }

    /** Returns the user's id of a WR that is done and was not given back. The polling thread. */
    long wrId(int place) {
        VarHandle.acquireFence();
        return wrIds[place & wrIds.length - 1];
    }

    /** Gives the place of a WR that is done, and all before it, back. The polling thread. */
    void complete(int place) {
        tail = place + 1; // the poster writes this place's id only after it has seen this
    }
}
