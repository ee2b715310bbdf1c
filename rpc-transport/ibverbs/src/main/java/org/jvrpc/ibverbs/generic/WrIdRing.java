package org.jvrpc.ibverbs.generic;

import java.lang.invoke.VarHandle;

/**
 * The user's ids of the WRs of a send or receive queue, in places that are taken and given back in order. A place is
 * given back when a completion of it, or of a later one, is polled: what a card's provider does, too, and what keeps
 * the CQ from overrunning. One thread posts, one polls.
 */
final class WrIdRing {

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
