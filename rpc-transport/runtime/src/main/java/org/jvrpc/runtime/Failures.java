package org.jvrpc.runtime;

import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import org.jvrpc.api.RpcException;
import org.jvrpc.api.Status;
import org.jvrpc.api.stub.MethodDescriptor;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What a caller sees of what a handler threw. */
final class Failures {

    private static final Logger LOG = LoggerFactory.getLogger(Failures.class);

    private Failures() {
    }

    /** Returns the status and text for the caller; what is not an {@link RpcException} is logged with its stack. */
    static RpcException toRpc(Throwable thrown, MethodDescriptor method) {
        Throwable cause = thrown;
        while ((cause instanceof CompletionException || cause instanceof ExecutionException)
                && cause.getCause() != null) {
            cause = cause.getCause();
        }
        if (cause instanceof RpcException e) {
            return e;
        }
        LOG.warn("handler of {} threw", method == null ? "?" : method.fullName(), cause);
        return new RpcException(Status.UNKNOWN, cause.getClass().getName()
                + (cause.getMessage() == null ? "" : ": " + cause.getMessage()), cause);
    }

    /**
     * Returns what a stub throws when its arguments could not be written: the cause itself, or INTERNAL around a
     * checked one.
     *
     * @throws Error when that is the cause
     */
    static RuntimeException ofArguments(Throwable cause, MethodDescriptor method) {
        if (cause instanceof Error error) {
            throw error;
        }
        return cause instanceof RuntimeException unchecked
                ? unchecked
                : new RpcException(Status.INTERNAL, "arguments of " + method.fullName() + ": " + cause, cause);
    }
}
