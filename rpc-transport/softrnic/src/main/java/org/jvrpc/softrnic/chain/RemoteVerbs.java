package org.jvrpc.softrnic.chain;

import java.nio.ByteBuffer;
import org.jvrpc.verbs.WcStatus;

/**
 * Executes WQEs of a cross-channel queue whose peer is reached by packets. A queue has one under way at a time: it
 * waits for the peer's acknowledgement as it does for a WAIT. With the claim of the group.
 */
public interface RemoteVerbs {

    /**
     * Begins to execute a WQE, or looks what has become of it. It is copied, as chains may change it meanwhile.
     *
     * @param ring holds the queue's ring
     * @param start where the ring begins
     * @param at offset of the WQE in it
     * @param mask bytes of the ring, less one
     * @param blocks of the WQE, 1 to 16
     * @return null while it is under way; its group is run again when it ends
     */
    WcStatus execute(ByteBuffer ring, int start, int at, int mask, int blocks);

    /** Returns how many bytes the last one moved. */
    int bytes();
}
