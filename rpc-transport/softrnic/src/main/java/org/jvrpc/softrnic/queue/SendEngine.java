package org.jvrpc.softrnic.queue;

import org.jvrpc.mlx5.Doorbell;

/** Executes a send queue. Rung by the thread that posts; the rest is for any thread. */
public interface SendEngine extends Doorbell {

    /** Makes sure that the peer is woken for what was delivered to it. */
    void wakePeer();

    /** Returns true when there is work that {@link #progress} might do. */
    boolean isStalled();

    /** Goes on with what waits. */
    void progress();
}
