package org.jvrpc.softrnic.queue;

import java.util.List;
import org.jvrpc.mlx5.Mlx5QueuePair;
import org.jvrpc.mlx5.QueueMemory;
import org.jvrpc.softrnic.memory.Quarantine;
import org.jvrpc.softrnic.memory.RegionTable;
import org.jvrpc.verbs.QueuePairAttributes;
import org.jvrpc.verbs.QueuePairState;

/** A QP as its port sees it. Any thread. */
public interface PortQueuePair {

    int number();

    QueuePairAttributes attributes();

    /** Returns the number of the QP's protection domain. */
    int pd();

    /** Returns the address of the QP's context in the device's memory; the rings follow it. */
    long address();

    /**
     * Returns the send ring. The QP's context, see {@link QpContext}, lies in the same window; it says where receives
     * are taken from, once the QP is made: from the ring behind it, or from an SRQ, see {@link SharedReceives}.
     */
    QueueMemory sends();

    /** Returns where the QP's context lies in the window. */
    int context();

    /**
     * Returns the address of memory of the port's own, behind the rings and in their window; zeroed, aligned to 128. 0
     * for none.
     */
    default long behind() {
        return 0;
    }

    PortCompletionQueue sendCq();

    PortCompletionQueue receiveCq();

    /** Returns the device's memory regions, for those of the QP's domain. */
    RegionTable regions();

    /** Returns the domains whose memory messages to the QP may be written to, the QP's own first. */
    List<Quarantine> quarantines();

    /** Returns the driver, once the QP is made. */
    Mlx5QueuePair driver();

    /** Returns the QP's port, once the QP is made. */
    Port port();

    QueuePairState state();

    /** The send ring waits for the peer: has {@link SendEngine#progress} called by polls, and by who waits. */
    void stalled();

    /** The QP is in ERR, or goes there now: flushes its receives. */
    void failed();

    /** As {@link #failed}, and wakes who waits for the CQs. */
    void error();

    /** As {@link #error}, because the peer's process is gone and will not write any more. */
    void peerDied();

    /** Notes that nobody writes to the QP's receives and CQ any more: what is not completed will not be. No lock. */
    void sendersGone();
}
