package org.jvrpc.roce.rc;

import java.nio.ByteBuffer;
import org.jvrpc.verbs.WcStatus;

/** The send queue of a QP as its requester sees it. The QP's thread. */
public interface SendQueue {

    /**
     * Fetches the next WR that was not fetched yet.
     *
     * @param work to be filled in; one that cannot be executed is {@linkplain SendWork#refuse refused}
     * @return false when there is none
     */
    boolean fetch(SendWork work);

    /**
     * Copies bytes of a message into a packet. They may be asked for again, and are then read again.
     *
     * @param from where in the message they begin
     * @return {@link WcStatus#SUCCESS}, or how the WR ends
     */
    WcStatus gather(SendWork work, long from, ByteBuffer packet, int at, int length);

    /** Copies bytes that a READ brought to where they are wanted; as {@link #gather}. */
    WcStatus scatter(SendWork work, long from, ByteBuffer packet, int at, int length);

    /** Stores what an atomic found, in this machine's byte order; as {@link #scatter}. */
    WcStatus store(SendWork work, long found);

    /** A WR has ended. They end in the order in which they were fetched, each once. */
    void complete(SendWork work, WcStatus status);

    /** A WR failed: the QP goes to ERR. What was fetched is flushed next, the rest is the queue's. */
    void failed();
}
