package org.jvrpc.softrnic.queue;

import org.jvrpc.mlx5.Doorbell;

/** Executes a send queue. Rung by the thread that posts; the rest is for any thread. */
public interface SendEngine extends Doorbell {

    /** Makes sure that the peer is woken for what was delivered to it. */
    void wakePeer();

    /** So many short messages follow soon, likely. */
    default void expectSends(int count) {
        // only worth while where a message costs little else
    }

    /** Returns true when there is work that {@link #progress} might do. */
    boolean isStalled();

    /**
     * Returns true while somebody else waits for the QP's lock: polls leave the QP alone, as they would keep it
     * waiting.
     */
    default boolean isWanted() {
        return false;
    }

    /** Returns true when WQEs of a managed queue are fetched when an ENABLE allows them, not when they are executed. */
    default boolean prefetches() {
        return false;
    }

    /**
     * Goes on with what waits. Callers hold the engine's monitor, which is its QP's lock, but for a chain's; engines
     * may take it again.
     */
    void progress();
}
