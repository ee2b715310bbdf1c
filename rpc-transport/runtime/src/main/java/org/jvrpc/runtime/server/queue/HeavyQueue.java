package org.jvrpc.runtime.server.queue;

import java.util.LinkedHashSet;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.jvrpc.api.RpcException;
import org.jvrpc.api.Status;
import org.jvrpc.runtime.counters.write.Endpoint;
import org.jvrpc.runtime.stream.server.StreamHost;
import org.jvrpc.verbs.rare.Rare;

/**
 * Heavy calls that wait for the executor. Sessions take turns, so that the many calls of one do not hold up the few of
 * another. Bounded: of calls with an answer by a number for the whole server, of one-way calls by the credits of their
 * sessions, which come back when the calls leave. The executor gets one task for each call, which runs the next in
 * turn; the task of a call that leaves without its turn is the next call's, so that callers who give up do not fill the
 * executor's own queue. Any thread.
 */
public final class HeavyQueue implements Runnable {

    /** The waiting calls of one session, in order; guarded by the queue. */
    public static final class Line {
        private final LinkedHashSet<Task> calls = new LinkedHashSet<>();
    }

    /** What waits. */
    public interface Task extends Runnable {

        /** Returns true when its caller waits for an answer: so many wait at a time and no more. */
        boolean isAnswered();

        /** It is not queued any more. The thread that runs it. */
        void dequeued();

        /** Ends it, which cannot run after all. The thread that would run it, or one that adds another. */
        void refuse(Throwable why);
    }

    /** What a stream's call has run. */
    private final class StreamTask implements Task, StreamHost.Place {

        private final Line line;
        private final Runnable work;
        private final Consumer<RpcException> refused;

        StreamTask(Line line, Runnable work, Consumer<RpcException> refused) {
            this.line = line;
            this.work = work;
            this.refused = refused;
        }

        @Override
        public void run() {
            work.run();
        }

        @Override
        public boolean isAnswered() {
            return true;
        }

        @Override
        public void dequeued() {
            // nobody counts
        }

        @Override
        public void refuse(Throwable why) {
            refused.accept(why instanceof RpcException known ? known
                    : new RpcException(Status.INTERNAL, why.toString(), why));
        }

        @Override
        public void leave() {
            withdraw(line, this);
        }
    }

    private final Executor executor;
    private final int limit;
    private final Endpoint counters;
    /** Who has calls that wait, in turn. */
    private final LinkedHashSet<Line> turns = new LinkedHashSet<>();
    private int answered;
    /** Tasks that the executor has and no call needs. */
    private int spare;
    /** One-way calls that wait or run. */
    private final AtomicInteger oneWays = new AtomicInteger();

    /** @param limit of waiting calls that have an answer */
    public HeavyQueue(Executor executor, int limit) {
        this(executor, limit, null);
    }

    /** @param counters where it says how many wait; null for nowhere */
    public HeavyQueue(Executor executor, int limit, Endpoint counters) {
        this.counters = counters;
        this.executor = executor;
        this.limit = limit;
    }

    private void count() {
        if (counters != null) {
            counters.queued(answered);
        }
    }

    /**
     * Has a call run in its turn. The poller of its session.
     *
     * @throws RpcException UNAVAILABLE when the executor takes no more, RESOURCE_EXHAUSTED beyond the limit: the call
     *     is not queued then
     */
    public void add(Line line, Task call) {
        synchronized (this) {
            if (call.isAnswered() && answered >= limit) {
                Rare.reached("a heavy call finds the queue full");
                throw new RpcException(Status.RESOURCE_EXHAUSTED, "too many heavy calls wait for the executor:"
                        + " waiting=" + answered + " limit=" + limit);
            }
            turns.add(line);
            line.calls.add(call);
            if (!call.isAnswered()) {
                oneWays.incrementAndGet();
            } else {
                answered++;
                count();
            }
            if (spare > 0) {
                Rare.reached("a heavy call has the task of one that left");
                spare--;
                return;
            }
        }
        try {
            executor.execute(this);
        } catch (Throwable t) {
            refuse(line, call, t);
        }
    }

    /** Has something of a stream run in its turn, as {@link #add} says. */
    public StreamHost.Place add(Line line, Runnable work, Consumer<RpcException> refused) {
        StreamTask task = new StreamTask(line, work, refused);
        add(line, task);
        return task;
    }

    /** Takes a call out, which is not run then. False when its turn has come: it runs or ran, or was refused. */
    public boolean withdraw(Line line, Task call) {
        synchronized (this) {
            if (!line.calls.remove(call)) {
                return false;
            }
            left(line, call);
            spare++;
        }
        if (!call.isAnswered()) {
            oneWayOver();
        }
        return true;
    }

    /** There is one task less than there are calls: one of them cannot run, the new one if it still waits. */
    private void refuse(Line line, Task call, Throwable why) {
        RpcException refusal = why instanceof RejectedExecutionException
                ? new RpcException(
                        Status.UNAVAILABLE, "server's executor takes no more calls: " + why.getMessage(), why)
                : new RpcException(Status.RESOURCE_EXHAUSTED, "server's executor cannot run a call: " + why, why);
        boolean waits;
        synchronized (this) {
            if (spare > 0) { // but for a call that has left since
                spare--;
                return;
            }
            waits = line.calls.remove(call);
            if (waits) {
                left(line, call);
            }
        }
        if (waits) {
            if (!call.isAnswered()) {
                oneWayOver();
            }
            Rare.reached("an executor refuses a call");
            throw refusal;
        }
        Task other = take(); // the task of another call ran it
        if (other != null) {
            Rare.reached("an executor refuses the task of another call");
            other.dequeued();
            other.refuse(refusal);
        }
    }

    private void left(Line line, Task call) {
        answered -= call.isAnswered() ? 1 : 0;
        count();
        if (line.calls.isEmpty()) {
            turns.remove(line);
        }
    }

    private synchronized Task take() {
        if (turns.isEmpty()) {
            spare = Math.max(0, spare - 1);
            return null;
        }
        Line line = turns.iterator().next();
        turns.remove(line);
        Task call = line.calls.iterator().next();
        line.calls.remove(call);
        answered -= call.isAnswered() ? 1 : 0;
        count();
        if (!line.calls.isEmpty()) {
            turns.add(line);
        }
        return call;
    }

    /** A one-way call is over. */
    public void oneWayOver() {
        oneWays.decrementAndGet();
    }

    /** Returns true while one-way calls wait or run, of clients that may have left. */
    public boolean hasOneWays() {
        return oneWays.get() > 0;
    }

    /** Runs the next call. A thread of the executor. */
    @Override
    public void run() {
        Task call = take();
        if (call != null) {
            call.dequeued();
            call.run();
        }
    }
}
