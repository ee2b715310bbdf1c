package org.jvrpc.router;

/** Why something is refused. It travels as a byte: the order is the wire's, and new ones go to the end. */
public enum Refusal {
    BAD_FRAME, VERSION, NO_TENANT, WRONG_USER, TOKEN_WRONG, TOKEN_EXPIRED, QUOTA, NOT_YOURS, UNKNOWN_ADDRESS, MOVED,
    STALE_EPOCH, POLICY, POLICY_OLD, REVOKED, DRAINING, NOBODY_LISTENS, NO_MEMORY, FOLDER, ROUTER_GONE, PEER_ROUTER,
    BUSY
}
