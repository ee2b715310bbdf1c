package org.jvrpc.roce.rc;

import java.nio.ByteBuffer;

/** Where packets of a QP leave. The packet is built in place; what carries it adds the ICRC. The QP's thread. */
public interface PacketSink {

    /** Returns true when a packet may leave now; else whoever is in the way has the QP go on later. */
    boolean isReady();

    /** Returns the memory for the next packet: big-endian, with room for the MTU and 64 bytes. */
    ByteBuffer buffer();

    /** Returns where in it the BTH goes. */
    int offset();

    /** Sends what was built, so many bytes from BTH to pad. It may be lost, as any packet. */
    void send(int length);
}
