package org.jvrpc.runtime.server;

import java.util.ArrayDeque;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import org.jvrpc.api.RpcException;
import org.jvrpc.api.Status;
import org.jvrpc.verbs.rare.Rare;

/**
 * Heavy calls that wait for the executor. Sessions take turns, so that the many calls of one do not hold up the few of
 * another. Bounded: of calls with an answer by a number for the whole server, of one-way calls by the credits of their
 * sessions, which come back when the calls leave. The executor gets one task for each call, which runs the next in
 * turn. Any thread.
 */
final class HeavyQueue implements Runnable {

    /** The waiting calls of one session; guarded by the queue. */
    static final class Line {
        private final ArrayDeque<HeavyCall> calls = new ArrayDeque<>();
    }

    private final Executor executor;
    private final int limit;
    /** Who has calls that wait, in turn. */
    private final ArrayDeque<Line> turns = new ArrayDeque<>();
    private int answered;
    /** One-way calls that wait or run. */
    private final AtomicInteger oneWays = new AtomicInteger();

    /** @param limit of waiting calls that have an answer */
    HeavyQueue(Executor executor, int limit) {
        this.executor = executor;
        this.limit = limit;
    }

    /**
     * Has a call run in its turn. The poller of its session.
     *
     * @throws RpcException UNAVAILABLE when the executor takes no more, RESOURCE_EXHAUSTED beyond the limit: the call
     *     is not queued then
     */
    void add(Line line, HeavyCall call) {
        synchronized (this) {
            if (call.slot() != null && answered >= limit) {
                Rare.reached("a heavy call finds the queue full");
                throw new RpcException(Status.RESOURCE_EXHAUSTED, "too many heavy calls wait for the executor:"
                        + " waiting=" + answered + " limit=" + limit);
            }
            if (line.calls.isEmpty()) {
                turns.add(line);
            }
            line.calls.add(call);
            if (call.slot() == null) {
                oneWays.incrementAndGet();
            } else {
                answered++;
            }
        }
        try {
            executor.execute(this);
        } catch (Throwable t) {
            refuse(line, call, t);
        }
    }

    /** There is one task less than there are calls: one of them cannot run, the new one if it still waits. */
    private void refuse(Line line, HeavyCall call, Throwable why) {
        RpcException refusal = why instanceof RejectedExecutionException
                ? new RpcException(
                        Status.UNAVAILABLE, "server's executor takes no more calls: " + why.getMessage(), why)
                : new RpcException(Status.RESOURCE_EXHAUSTED, "server's executor cannot run a call: " + why, why);
        boolean waits;
        synchronized (this) {
            waits = line.calls.removeLastOccurrence(call);
            if (waits) {
                dequeued(line, call);
            }
        }
        if (waits) {
            if (call.slot() == null) {
                oneWayOver();
            }
            Rare.reached("an executor refuses a call");
            throw refusal;
        }
        HeavyCall other = take(); // the task of another call ran it
        if (other != null) {
            Rare.reached("an executor refuses the task of another call");
            other.session().heavy().dequeued(other);
            other.refuse(refusal);
        }
    }

    private void dequeued(Line line, HeavyCall call) {
        answered -= call.slot() == null ? 0 : 1;
        if (line.calls.isEmpty()) {
            turns.remove(line);
        }
    }

    private synchronized HeavyCall take() {
        Line line = turns.poll();
        if (line == null) {
            return null;
        }
        HeavyCall call = line.calls.poll();
        answered -= call.slot() == null ? 0 : 1;
        if (!line.calls.isEmpty()) {
            turns.add(line);
        }
        return call;
    }

    /** A one-way call is over. */
    void oneWayOver() {
        oneWays.decrementAndGet();
    }

    /** Returns true while one-way calls wait or run, of clients that may have left. */
    boolean hasOneWays() {
        return oneWays.get() > 0;
    }

    /** Runs the next call. A thread of the executor. */
    @Override
    public void run() {
        HeavyCall call = take();
        if (call != null) {
            call.session().heavy().dequeued(call);
            call.run();
        }
    }
}
