package org.jvrpc.api;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A call that did not return. Handlers may throw it to choose the status that the caller sees.
 */
public final class RpcException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final Status status;
    private final boolean notRun;
    private final transient @Nullable ErrorDetails details;

    /**
     * A call that may have run.
     *
     * @param status any but {@link Status#OK}
     * @param message what happened, with the values that matter
     */
    public RpcException(Status status, @Nullable String message) {
        this(status, message, null);
    }

    /**
     * A call that may have run.
     *
     * @param status any but {@link Status#OK}
     * @param message what happened, with the values that matter
     * @param cause may be null; stays local
     */
    public RpcException(Status status, @Nullable String message, @Nullable Throwable cause) {
        this(status, message, cause, false, null);
    }

    private RpcException(
            Status status, @Nullable String message, @Nullable Throwable cause, boolean notRun,
            @Nullable ErrorDetails details) {
        super(message, cause);
        this.notRun = notRun;
        this.details = details;
        this.status = Objects.requireNonNull(status, "status");
        if (status == Status.OK) {
            throw new IllegalArgumentException("an RpcException cannot have status=OK");
        }
    }

    /**
     * Makes the failure of a call that is known not to have reached a handler. A handler that throws it says nothing by
     * it: it ran.
     *
     * @param status any but {@link Status#OK}
     * @param message what happened, with the values that matter
     */
    public static RpcException notRun(Status status, @Nullable String message) {
        return notRun(status, message, null);
    }

    /** As {@link #notRun(Status, String)}, with a cause, which may be null and stays local. */
    public static RpcException notRun(Status status, @Nullable String message, @Nullable Throwable cause) {
        return new RpcException(status, message, cause, true, null);
    }

    /** Returns the same failure with details, for programs that read them; null takes them away. */
    public RpcException withDetails(@Nullable ErrorDetails more) {
        RpcException copy = new RpcException(status, getMessage(), getCause(), notRun, more);
        copy.setStackTrace(getStackTrace());
        return copy;
    }

    /** Returns what the failure says to programs, or null when it says nothing. Does not survive serialization. */
    public @Nullable ErrorDetails details() {
        return details;
    }

    /** Returns this, or where it denies that the call may have run the same failure without that. */
    public RpcException thatMayHaveRun() {
        return notRun ? new RpcException(status, getMessage(), this, false, details) : this;
    }

    /**
     * Returns false when it is known that no handler ran for the call: there was no connection, no slot or no time to
     * send it, or the server refused it before. Then it can be made again, whatever the method does. True wherever that
     * is not known.
     */
    public boolean mayHaveRun() {
        return !notRun;
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
