package org.jvrpc.tcp.link;

import org.jvrpc.runtime.memory.SlotFrames;
import org.jvrpc.runtime.session.Protocol;

/**
 * What a session takes of a server's memory for sessions ({@code SessionLimits.sessionMemory}) at most: its slots, what
 * it reads into, and what its bytes go through, which TLS and compression lend while something is under way. A silent
 * session has less. The sockets' buffers, and the keys and state of TLS, are not counted.
 *
 * @param wire what its bytes go through, in bytes
 */
public record StreamCost(long wire) implements Protocol.Cost {

    /** Returns what the server's side of a session takes, in bytes. */
    @Override
    public long bytes(Protocol protocol, int units, int most, int unitBytes) {
        return SlotFrames.bytes(units, most, unitBytes) + Inbound.bytes(unitBytes) + wire;
    }
}
