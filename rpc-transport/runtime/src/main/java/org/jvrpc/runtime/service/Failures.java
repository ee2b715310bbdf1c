package org.jvrpc.runtime.service;

import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import org.jvrpc.api.RpcException;
import org.jvrpc.api.Status;
import org.jvrpc.api.stub.MethodDescriptor;
import org.jvrpc.runtime.thread.Clock;
import org.jvrpc.runtime.thread.LogLimit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What a caller sees of what a handler threw, and what the log does. Since clients choose how often a handler throws,
 * the log has a stack for the first exception of each class from a method, and a line in ten seconds for all that
 * follow from it. Any thread.
 */
public final class Failures {

    private static final Logger LOG = LoggerFactory.getLogger(Failures.class);
    private static final long PERIOD_NS = 10_000_000_000L;
    private static final int MAX_CLASSES = 16;
    private static final int MAX_CHARS = 500;
    /** Clients name methods that nobody has: those beyond so many have one entry. */
    static final int MAX_METHODS = 1 << 12;
    private static final String OTHERS = "(other methods)";
    /** By the full names of methods. */
    private static final Map<String, Seen> SEEN = new ConcurrentHashMap<>();

    private Failures() {
    }

    /** What one method threw so far. */
    private record Seen(Set<Class<?>> classes, LogLimit limit) {

        Seen(String method) {
            this(ConcurrentHashMap.newKeySet(), new LogLimit(PERIOD_NS));
        }
    }

    /** Returns the status and text for the caller; what is not an {@link RpcException} is logged. */
    public static RpcException toRpc(Throwable thrown, MethodDescriptor method) {
        Throwable cause = cause(thrown);
        if (cause instanceof RpcException e) {
            return e;
        }
        log("handler threw", cause, method);
        return new RpcException(Status.UNKNOWN, text(cause), cause);
    }

    /** As {@link #toRpc}, where somebody else logs it. */
    static RpcException toRpcUnlogged(Throwable thrown) {
        Throwable cause = cause(thrown);
        return cause instanceof RpcException e ? e : new RpcException(Status.UNKNOWN, text(cause), cause);
    }

    /** Logs why a one-way call was not made, or how it ended: nobody else hears of it. */
    public static void ofOneWay(Throwable thrown, MethodDescriptor method) {
        log("one-way call ended", cause(thrown), method);
    }

    static int methods() {
        return SEEN.size();
    }

    private static Throwable cause(Throwable thrown) {
        Throwable cause = thrown;
        while ((cause instanceof CompletionException || cause instanceof ExecutionException)
                && cause.getCause() != null) {
            cause = cause.getCause();
        }
        return cause;
    }

    private static String text(Throwable cause) {
        String name = cause.getClass().getName();
        try {
            String message = cause.getMessage();
            return message == null ? name : name + ": " + message;
        } catch (Throwable t) { // it is the user's method
            return name + ", whose message cannot be had: " + t.getClass().getName();
        }
    }

    private static void log(String what, Throwable cause, MethodDescriptor method) {
        try {
            String name = method == null ? "?" : method.fullName();
            Seen seen = SEEN.size() < MAX_METHODS ? SEEN.computeIfAbsent(name, Seen::new) : SEEN.get(name);
            if (seen == null) {
                seen = SEEN.computeIfAbsent(OTHERS, Seen::new);
            }
            if (seen.classes.size() < MAX_CLASSES && seen.classes.add(cause.getClass())) {
                LOG.warn("{}: {}", name, what, cause);
                return;
            }
            long kept = seen.limit.pass(Clock.SYSTEM.nanoTime());
            if (kept != LogLimit.KEEP_BACK) {
                String text = text(cause);
                LOG.warn("{}: {} again, {} times more since the last line: {}", name, what, kept,
                        text.length() <= MAX_CHARS ? text : text.substring(0, MAX_CHARS) + "…");
            }
        } catch (Throwable t) { // whatever the user's exception or log does, the call ends
            LOG.debug("cannot log a failure: {}", t.getClass().getName());
        }
    }

    /**
     * Returns what a stub throws when its arguments could not be written: the cause itself, or INTERNAL around a
     * checked one.
     *
     * @throws Error when that is the cause
     */
    public static RuntimeException ofArguments(Throwable cause, MethodDescriptor method) {
        if (cause instanceof Error error) {
            throw error;
        }
        return cause instanceof RuntimeException unchecked
                ? unchecked
                : new RpcException(Status.INTERNAL, "arguments of " + method.fullName() + ": " + cause, cause);
    }
}
