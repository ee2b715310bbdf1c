package org.jvrpc.runtime.balance;

/** How a server stands with a client. */
public enum ServerState {
    /** There is no connection, and none is wanted. */
    IDLE,
    /** A connection is being made, or its server was not asked yet whether it can serve. */
    CONNECTING,
    /** There is a connection, and calls go there if the policy says so. */
    READY,
    /** The last attempt failed; the next one comes after a pause. */
    FAILED,
    /** There is a connection, but too many calls failed; it gets none but probes. */
    EJECTED,
    /** There is a connection, but the server says that it cannot serve, or does not say whether it can. */
    UNHEALTHY,
    /** The client may use none of its addresses. */
    UNUSABLE
}
