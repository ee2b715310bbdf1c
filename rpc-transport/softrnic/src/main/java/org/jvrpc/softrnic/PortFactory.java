package org.jvrpc.softrnic;

import org.jvrpc.softrnic.queue.Port;

/** Makes the ports of a device's QPs. Any thread. */
interface PortFactory {

    /**
     * Makes the port of a QP that is being made: its memory is allocated, its context not written yet.
     *
     * @throws org.jvrpc.verbs.VerbsException when there is no memory for it
     */
    Port create(SoftQueuePair qp);

    /** The device is closed. */
    default void close() {
        // most have nothing of their own
    }
}
