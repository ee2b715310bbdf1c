package org.jvrpc.softrnic.queue;

import org.jvrpc.softrnic.memory.Slab;

/** A CQ as the ports of its QPs see it. Any thread. */
public interface PortCompletionQueue {

    /** Returns the slab that holds it; see {@link CqContext} and {@link CqWriter}. */
    Slab slab();

    long address();

    /** Returns true when it has one producer only. */
    boolean isExclusive();

    /** Returns true when it was armed, and a producer has taken that: there is something to poll. */
    boolean isTaken();

    /** Has the next poll that finds nothing look at the QPs. */
    void alert();

    /** Has somebody told before a caller sleeps until a completion comes. */
    void beforeSleep(Runnable told);

    /** Wakes who waits for it. */
    void wake();

    /** Has who waits for it look now and then: from now on producers complete here that cannot wake this process. */
    void lookFromNowOn();
}
