package org.jvrpc.softrnic;

import org.jvrpc.mlx5.Doorbell;

/** Executes a send queue. */
interface SendEngine extends Doorbell {

    /** Sets the peer; before the first doorbell that may find the QP in RTS. */
    void connect(Responder peer);

    /** Makes sure that the peer is woken for what was delivered to it. */
    void wakePeer();

    /** Returns true when there is work that {@link #progress} might do. Any thread. */
    boolean isStalled();

    /** Tries again what stalled. Any thread. */
    void progress();
}
