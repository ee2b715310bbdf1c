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
}
