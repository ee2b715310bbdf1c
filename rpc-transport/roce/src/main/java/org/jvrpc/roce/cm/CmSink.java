package org.jvrpc.roce.cm;

import java.nio.ByteBuffer;

/** Where messages go. */
public interface CmSink {

    /** Sends a MAD, which may be lost. It is the manager's again when this returns; position and limit stay. */
    void send(ByteBuffer mad, CmPeer to);
}
