package org.jvrpc.roce.ud;

import java.nio.ByteBuffer;
import org.jvrpc.verbs.WcStatus;

/** The receive queue of a UD QP. The QP's thread. */
public interface UdReceiveQueue {

    /** Returns how many bytes the oldest receive takes; -1 when there is none. */
    long capacity();

    /**
     * Places bytes in the oldest receive, which takes that many.
     *
     * @param from where in the receive they begin
     * @return {@link WcStatus#SUCCESS}; {@link WcStatus#LOC_PROT_ERR} when a key refuses
     */
    WcStatus place(long from, ByteBuffer bytes, int at, int length);

    /**
     * Completes the oldest receive.
     *
     * @param length with the bytes before the datagram
     * @param immediate without meaning where there is none
     * @return false when there is no room for the completion; the receive stays
     */
    boolean complete(int length, boolean hasImmediate, int immediate, int sourceQpn);

    /** Completes the oldest receive with an error, after which the QP is in ERR. */
    void fail(WcStatus status);
}
