package org.jvrpc.fabric.host;

import java.nio.ByteBuffer;
import org.jvrpc.roce.rc.RemoteMemory;
import org.jvrpc.roce.rc.SendWork;
import org.jvrpc.verbs.WcStatus;

/** Memory that is a QP's own, instead of its host's: what its WRs and receives name, and what its peer reaches. */
public interface EndpointMemory extends RemoteMemory {

    /** Copies bytes of a WR into a packet; see {@link org.jvrpc.roce.rc.SendQueue#gather}. */
    WcStatus gather(SendWork work, long from, ByteBuffer packet, int at, int length);

    /** Copies what a READ brought to where it is wanted. */
    WcStatus scatter(SendWork work, long from, ByteBuffer packet, int at, int length);

    /** Stores what an atomic found. */
    WcStatus store(SendWork work, long found);

    /** Copies bytes of a message to the receive at hand. */
    WcStatus place(long from, ByteBuffer packet, int at, int length);
}
