package org.jvrpc.api;

import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;

/**
 * The call that a thread works for. A stub that is called on such a thread has the time that is left to that call, if
 * that is less than its own, and gives up when it is cancelled or its client is gone: a thread that waits finds out
 * within some milliseconds. Heavy handlers run in theirs, and light ones where the server is made with
 * {@code context(true)}: while a light one runs, its server hears of no cancellation, but the asynchronous calls that
 * it leaves behind end with its own. Another thread that works for the same call is given the context by {@link #wrap}
 * or {@link #run}. Immutable; any thread.
 */
public final class RpcContext {

    private static final ThreadLocal<RpcContext> CURRENT = new ThreadLocal<>();
    /** A context was attached to some thread; who attaches it to its own thread sees it there. */
    private static boolean used;

    /** The state of the call that a context belongs to. Any thread. */
    public interface Call {

        /** Returns the time left in nanoseconds, {@link Long#MAX_VALUE} when the caller did not say. */
        long remainingNs();

        /** Returns true when the caller cancelled or is gone. */
        boolean isCancelled();
    }

    private final Call call;

    private RpcContext(Call call) {
        this.call = Objects.requireNonNull(call, "call");
    }

    /** Returns the context of a call. */
    public static RpcContext of(Call call) {
        return new RpcContext(call);
    }

    /** Returns the context of this thread, or null. */
    public static @Nullable RpcContext current() {
        return used ? CURRENT.get() : null;
    }

    /** Returns the time left to the call in nanoseconds, {@link Long#MAX_VALUE} when its caller did not say. */
    public long remainingNs() {
        return call.remainingNs();
    }

    /** Returns true when the caller cancelled or is gone. */
    public boolean isCancelled() {
        return call.isCancelled();
    }

    /** Runs a task in this context, on this thread. */
    public void run(Runnable task) {
        @Nullable RpcContext before = attach();
        try {
            task.run();
        } finally {
            detach(before);
        }
    }

    /** Runs a task in this context, on this thread. @throws Exception what the task throws */
    public <T> T call(Callable<T> task) throws Exception {
        @Nullable RpcContext before = attach();
        try {
            return task.call();
        } finally {
            detach(before);
        }
    }

    /** Returns a task that runs in this context, on whichever thread. */
    public Runnable wrap(Runnable task) {
        return () -> run(task);
    }

    /** Has this thread work in this context until {@link #detach}; returns what it worked in before, or null. */
    public @Nullable RpcContext attach() {
        @Nullable RpcContext before = CURRENT.get();
        if (!used) {
            used = true;
        }
        CURRENT.set(this);
        return before;
    }

    /** Ends {@link #attach}, which returned {@code before}. */
    public void detach(@Nullable RpcContext before) {
        if (before == null) {
            CURRENT.remove();
        } else {
            CURRENT.set(before);
        }
    }
}
