package org.jvrpc.api;

import java.util.Objects;

/**
 * A call that did not return. Handlers may throw it to choose the status that the caller sees.
 */
public final class RpcException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final Status status;

    /**
     * @param status any but {@link Status#OK}
     * @param message what happened, with the values that matter
     */
    public RpcException(Status status, String message) {
        this(status, message, null);
    }

    /**
     * @param status any but {@link Status#OK}
     * @param message what happened, with the values that matter
     * @param cause may be null; stays local
     */
    public RpcException(Status status, String message, Throwable cause) {
        super(message, cause);
        this.status = Objects.requireNonNull(status, "status");
        if (status == Status.OK) {
            throw new IllegalArgumentException("an RpcException cannot have status=OK");
        }
    }

    /** Returns the status, never {@link Status#OK}. */
    public Status status() {
        return status;
    }

    @Override
    public String toString() {
        return "RpcException: " + status + ": " + getMessage();
    }
}
