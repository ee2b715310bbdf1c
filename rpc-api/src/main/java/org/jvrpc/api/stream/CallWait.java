package org.jvrpc.api.stream;

import org.jvrpc.api.RpcContext;
import org.jvrpc.api.RpcException;
import org.jvrpc.api.Status;

/** Waits for what other threads of this process do, as long as the call lasts that the thread works for, if any. */
final class CallWait {

    private static final long LOOK_MS = 20;
    private static final long LONGEST_MS = 1000;
    private static final long MS_NS = 1_000_000;

    private CallWait() {
    }

    /**
     * Waits for a while, or until the monitor, which this thread holds, is notified.
     *
     * @param limitNs the longest wait, in nanoseconds
     * @throws RpcException CANCELLED when the thread is interrupted, and stays so, or its call was given up;
     *     DEADLINE_EXCEEDED when the time of its call is over
     */
    static void await(Object monitor, String what, long limitNs) {
        RpcContext context = RpcContext.current();
        if (context != null && context.isCancelled()) {
            throw new RpcException(Status.CANCELLED, "the call that waits was given up: " + what);
        }
        if (context != null && context.remainingNs() <= 0) {
            throw new RpcException(Status.DEADLINE_EXCEEDED, "deadline of the call that waits has passed: " + what);
        }
        try {
            monitor.wait(Math.max(1, Math.min(context == null ? LONGEST_MS : LOOK_MS, limitNs / MS_NS)));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new RpcException(Status.CANCELLED, "interrupted: " + what, e);
        }
    }
}
