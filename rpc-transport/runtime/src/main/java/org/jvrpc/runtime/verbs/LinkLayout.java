package org.jvrpc.runtime.verbs;

import org.jvrpc.runtime.session.Protocol;

/**
 * Layout of a link's session memory, and what it costs.
 *
 * <pre>
 * header of 64 bytes a slot | body of {@code slotBytes} a slot | receives of 16 + slotBytes, rounded up to 64
 * </pre>
 * Slots are those of calls or pieces, then those of control messages.
 */
public final class LinkLayout {

    static final int HEADER_STRIDE = 64;
    static final int SEND_DEPTH = 256;
    /** Of a queue and its CQ, for each entry. */
    private static final long QUEUE_BYTES = 256;

    private LinkLayout() {
    }

    /** Returns what a server's side of a session takes, in bytes. */
    public static long sessionBytes(Protocol protocol, int units, int unitBytes) {
        long receives = ReceiveBatches.count(protocol.receives(units));
        return (units + Protocol.CONTROLS) * ((long) HEADER_STRIDE + unitBytes)
                + receives * ReceiveBatches.stride(unitBytes) + (SEND_DEPTH + receives) * QUEUE_BYTES;
    }

    /** Returns where the body of a slot begins. */
    static int body(int sendSlots, int slotBytes, int slot) {
        return sendSlots * HEADER_STRIDE + slot * slotBytes;
    }

    /** Returns where the receives begin. */
    static int receives(int sendSlots, int slotBytes) {
        return sendSlots * (HEADER_STRIDE + slotBytes) + 63 & -64;
    }
}
