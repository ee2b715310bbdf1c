package org.jvrpc.api.health;

/** Whether a server, or one of its services, can serve. New constants go to the end. */
public enum ServingStatus {

    /** The status is not known yet. Clients do not call the service. */
    UNKNOWN,
    /** It can. */
    SERVING,
    /** It cannot now, and may later. */
    NOT_SERVING,
    /** The server knows no service of that name. An answer alone, which nobody sets. */
    SERVICE_UNKNOWN
}
