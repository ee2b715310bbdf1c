package org.jvrpc.api;

/**
 * How a call ended: the 17 codes that gRPC users know, with the same numbers. Source: gRPC's status code table.
 */
public enum Status {
    /** The call returned. */
    OK,
    /** The caller gave up the call. */
    CANCELLED,
    /** The handler threw something that it did not declare. */
    UNKNOWN,
    /** An argument is not acceptable whatever the state of the server, for instance a null where none may be. */
    INVALID_ARGUMENT,
    /** No answer came in time; the handler may or may not have run. */
    DEADLINE_EXCEEDED,
    /** The requested thing does not exist. */
    NOT_FOUND,
    /** The thing to be created exists already. */
    ALREADY_EXISTS,
    /** The caller is known and may not do this. */
    PERMISSION_DENIED,
    /** A limit is reached: a body too long, slots, memory. */
    RESOURCE_EXHAUSTED,
    /** The system is not in the state that the call needs, for instance an interface that differs on the server. */
    FAILED_PRECONDITION,
    /** The call lost against a concurrent one; a retry at a higher level may succeed. */
    ABORTED,
    /** A position past the end. */
    OUT_OF_RANGE,
    /** The server has no such service or method. */
    UNIMPLEMENTED,
    /** An invariant is broken: bytes that do not decode, a result of the wrong type. */
    INTERNAL,
    /** No living server behind the address; the client reconnects by itself, a retry may succeed. */
    UNAVAILABLE,
    /** Bytes are lost or corrupt and cannot be had again. */
    DATA_LOSS,
    /** The caller is not known. */
    UNAUTHENTICATED;

    private static final Status[] BY_CODE = values();

    /** Returns the number on the wire, 0 to 16. */
    public int code() {
        return ordinal();
    }

    /** Returns the status of a number from the wire, {@link #UNKNOWN} for one that has no name here. */
    public static Status ofCode(int code) {
        return code >= 0 && code < BY_CODE.length ? BY_CODE[code] : UNKNOWN;
    }
}
