package org.jvrpc.runtime.stream;

import java.util.concurrent.atomic.AtomicInteger;
import org.jvrpc.api.RpcContext;
import org.jvrpc.api.RpcException;
import org.jvrpc.api.Status;
import org.jvrpc.runtime.thread.Idler;

/** Threads that wait for streams of their own, and poll the session meanwhile. Any thread. */
final class Helpers {

    private static final int BATCH = 16;
    private static final long SLEEP_NS = 100_000_000;

    private final AtomicInteger helpers = new AtomicInteger();
    private int helpPolls; // lost counts do no harm
    private int helpPollsSeen;

    /** Returns true when threads that wait for streams of their own poll this session. */
    boolean areThere() {
        return helpers.get() > 0;
    }

    /** Returns true when they did since this was asked last, or do. The thread that polls for all. */
    boolean isAttended() {
        int now = helpPolls;
        boolean polled = now != helpPollsSeen;
        helpPollsSeen = now;
        return polled || areThere();
    }

    /**
     * Waits until something is ready, and polls meanwhile.
     *
     * @param endNs when the time is over, 0 for never
     * @throws RpcException DEADLINE_EXCEEDED, CANCELLED when the thread is interrupted, or the call that it works for
     *     was given up, UNAVAILABLE when the session has ended, FAILED_PRECONDITION where it must not wait
     */
    void await(StreamSession session, Blocker what, Idler idler, long endNs) {
        session.checkMayWait();
        helpers.incrementAndGet();
        try {
            boolean told = false;
            int spins = 0;
            while (!what.isReady()) {
                helpPolls++;
                if (session.poll(BATCH) > 0) {
                    idler.busy();
                    spins = 0;
                    continue;
                }
                if (!told) {
                    told = true;
                    what.idle();
                }
                if (++spins % Idler.SPINS_PER_LOOK == 0) {
                    look(session, what, idler, endNs);
                } else {
                    Thread.onSpinWait();
                }
            }
        } finally {
            helpers.decrementAndGet();
        }
    }

    private void look(StreamSession session, Blocker what, Idler idler, long endNs) {
        long nowNs = session.clock().nanoTime();
        if (Thread.currentThread().isInterrupted()) {
            throw new RpcException(Status.CANCELLED, "interrupted while waiting for a stream");
        }
        if (endNs != 0 && nowNs - endNs >= 0) {
            throw new RpcException(Status.DEADLINE_EXCEEDED, "deadline passed while waiting for a stream");
        }
        RpcContext context = RpcContext.current();
        if (context != null && context.isCancelled()) {
            throw new RpcException(Status.CANCELLED, "the call that waits for a stream was given up");
        }
        if (session.isOver()) {
            throw new RpcException(Status.UNAVAILABLE, "connection is lost");
        }
        if (idler.idle(nowNs)) {
            helpers.decrementAndGet();
            try {
                session.nudge(); // it polls from now on
                idler.sleeps(nowNs);
                what.sleep(endNs == 0 ? SLEEP_NS : Math.min(SLEEP_NS, endNs - nowNs));
                idler.woken(session.clock().nanoTime());
            } finally {
                helpers.incrementAndGet();
            }
        }
    }
}
