package org.jvrpc.tcp.link;

import org.jvrpc.runtime.memory.SlotFrames;
import org.jvrpc.runtime.session.Protocol;

/** What a session takes of memory. */
public final class StreamCost {

    private StreamCost() {
    }

    /** Returns what a server's side takes, in bytes; {@link Protocol.Cost}. */
    public static long sessionBytes(Protocol protocol, int units, int most, int unitBytes) {
        return SlotFrames.bytes(units, most, unitBytes) + Inbound.bytes(unitBytes);
    }
}
