package org.jvrpc.runtime.stream;

import java.util.concurrent.atomic.AtomicBoolean;
import org.jvrpc.api.RpcException;
import org.jvrpc.api.Status;
import org.jvrpc.runtime.thread.Clock;

/** Whose turn it is to poll a session: one thread at a time. Any thread. */
final class PollTurn {

    /** How long the end of a session waits for somebody's turn, whose callback may not return. */
    private static final long LAST_NS = 5_000_000_000L;
    private static final long LOOK_NS = 50_000;

    private final AtomicBoolean taken = new AtomicBoolean();
    private volatile Thread holder;

    /** Returns true when this thread has it now. */
    boolean take() {
        if (!taken.compareAndSet(false, true)) {
            return false;
        }
        holder = Thread.currentThread();
        return true;
    }

    void leave() {
        holder = null;
        taken.set(false);
    }

    /** Takes it for ever; false where somebody does not leave it within some seconds. */
    boolean takeLast(Clock clock) {
        long startNs = clock.nanoTime();
        while (!taken.compareAndSet(false, true)) {
            if (clock.nanoTime() - startNs > LAST_NS) {
                return false;
            }
            clock.parkNanos(this, LOOK_NS);
        }
        return true;
    }

    /** Returns who has it, or null. */
    Thread holder() {
        return holder;
    }

    /**
     * Looks whether this thread may wait for what comes.
     *
     * @throws RpcException FAILED_PRECONDITION on a thread that polls: what it waits for could not come, or all streams
     *     of a server would wait with it
     */
    void checkMayWait() {
        if (holder == Thread.currentThread() || StreamPoller.isThisThread()) {
            throw new RpcException(Status.FAILED_PRECONDITION, "a light handler, or a callback of a stream, must not"
                    + " wait for a stream: its thread serves all streams here, thread="
                    + Thread.currentThread().getName() + "; heavy methods may, and so do their subscribers");
        }
    }
}
