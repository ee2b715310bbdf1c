package org.jvrpc.ibverbs.core;

import org.jvrpc.verbs.QueuePair;

/** A QP of a real device: its states can be driven by a connection manager, too. */
public interface RdmaQueuePair extends QueuePair {

    /** Returns the states of the QP, for connection management. */
    QpStates states();

    /**
     * Called once after {@link #states()} moved to RTS by a connection manager, or to ERR: sends may be posted from now
     * on, to be executed or flushed. Any thread.
     */
    void stateChanged();
}
