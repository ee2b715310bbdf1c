package org.jvrpc.verbs;

/** States of an RC QP. Source: ibv_modify_qp(3); IBA volume 1, 10.3.1. */
public enum QueuePairState {
    /** New: nothing may be posted. */
    RESET,
    /** Receives may be posted. */
    INIT,
    /** Receives are served. */
    RTR,
    /** Sends are executed. */
    RTS,
    /** Whatever was and is posted is flushed. */
    ERR
}
