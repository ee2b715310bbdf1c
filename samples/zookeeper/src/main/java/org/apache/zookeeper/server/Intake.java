package org.apache.zookeeper.server;

import org.jvrpc.runtime.MessageSession;

/**
 * Whether the requests of a connection are taken: as long as there is no reason against it. The reasons and what the
 * session is told change together, so that no order of calls leaves a session paused without a reason. Any thread.
 */
final class Intake {

    /** ZooKeeper has too much to do, or makes the session. */
    static final int THROTTLED = 1;
    /** A worker has a request that those behind it must not overtake. */
    static final int AT_WORK = 2;
    /** The client does not take its answers. */
    static final int ANSWERS_WAIT = 4;
    /** What came will have long answers. */
    static final int ANSWERS_DUE = 8;

    private final MessageSession session;
    private volatile int reasons;

    Intake(MessageSession session) {
        this.session = session;
    }

    /** Takes no more requests, for a reason. */
    synchronized void stop(int reason) {
        reasons |= reason;
        session.pause();
    }

    /** Takes requests again, if that was the last reason. */
    void allow(int reason) {
        if (isStopped(reason)) {
            remove(reason);
        }
    }

    private synchronized void remove(int reason) {
        boolean stopped = reasons != 0;
        reasons &= ~reason;
        if (stopped && reasons == 0) {
            session.resume();
        }
    }

    /** Returns true when there is one of these reasons. */
    boolean isStopped(int some) {
        return (reasons & some) != 0;
    }

    /** Returns true when requests are taken. */
    boolean isOpen() {
        return reasons == 0;
    }
}
