package org.jvrpc.softrnic.roce.socket;

import java.nio.ByteBuffer;

/** What the packets of an RC QP to its peer leave by. Under the QP's lock. */
public interface WayOut {

    /** Returns the UDP port that packets come from. */
    int port();

    /** Sends the bytes from position to limit; they are lost where there is no room. */
    void send(ByteBuffer packet);

    /** The QP lets go of it. */
    void close();
}
