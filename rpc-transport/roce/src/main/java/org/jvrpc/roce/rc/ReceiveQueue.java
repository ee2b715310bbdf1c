package org.jvrpc.roce.rc;

import java.nio.ByteBuffer;
import org.jvrpc.verbs.WcStatus;

/** The receive queue of a QP as its responder sees it. The QP's thread. */
public interface ReceiveQueue {

    /** Has a receive at hand until it is completed or fails; true when there is one, also one that is at hand. */
    boolean take();

    /**
     * Places bytes of a message in the receive at hand.
     *
     * @param from where in the message they begin
     * @param last the message ends with them; {@link #complete} follows at once
     * @return {@link WcStatus#SUCCESS}; {@link WcStatus#LOC_LEN_ERR} when the message is too long;
     *     {@link WcStatus#LOC_PROT_ERR} when a key refuses
     */
    WcStatus place(long from, ByteBuffer packet, int at, int length, boolean last);

    /**
     * Completes the receive at hand.
     *
     * @param kind what arrived
     * @param length of the message, 0 to 2^31
     * @param word immediate data, or the rkey that was invalidated; 0 without
     * @return false when there is no room for the completion, which ends the QP
     */
    boolean complete(Arrival kind, long length, int word);

    /** Completes the receive at hand with an error. */
    void fail(WcStatus status);

    /** A request failed: the QP goes to ERR. */
    void failed();

    /** What a receive was completed by. */
    enum Arrival {
        /** SEND. */
        SEND,
        /** SEND with immediate data. */
        SEND_IMM,
        /** SEND that invalidated an rkey. */
        SEND_INVALIDATE,
        /** WRITE with immediate data. */
        WRITE_IMM
    }
}
