package org.jvrpc.runtime.verbs;

import org.jvrpc.runtime.session.Protocol;

/**
 * Layout of the regions of a link's session memory, and what they cost. A link begins with one and gets another each
 * time that it grows.
 *
 * <pre>
 * header of 64 bytes a slot | body of {@code slotBytes} a slot | receives of 16 + slotBytes, rounded up to 64
 * </pre>
 * Behind the slots of the first region come those of control messages, which have headers alone.
 */
public final class LinkLayout {

    static final int HEADER_STRIDE = 64;
    /** Twice what is under way before a send is signalled. */
    static final int SEND_DEPTH = 128;
    /** Of a queue and its CQ, for each entry. */
    private static final long QUEUE_BYTES = 256;

    private LinkLayout() {
    }

    /** Returns what a server's side of a session takes, in bytes. @param most how many units there may be later */
    public static long sessionBytes(Protocol protocol, int units, int most, int unitBytes) {
        int receives = ReceiveBatches.count(protocol.requests(units));
        return regionBytes(units + Protocol.CONTROLS, units, unitBytes, receives)
                + queueBytes(protocol, most);
    }

    /** Returns what the queues of a session take of that. */
    static long queueBytes(Protocol protocol, int most) {
        return (SEND_DEPTH + ReceiveBatches.count(protocol.requests(most))) * QUEUE_BYTES;
    }

    /** Returns how long a region is. @param headers one for each slot, those of control messages included */
    static long regionBytes(int headers, int slots, int slotBytes, int receives) {
        return (long) headers * HEADER_STRIDE + slotBlock(slots, slotBytes)
                + (long) receives * ReceiveBatches.stride(slotBytes);
    }

    private static long slotBlock(int slots, int slotBytes) {
        return (long) slots * slotBytes + 63 & -64;
    }

    /** Returns where the body of a slot of a region begins. */
    static int body(int headers, int slotBytes, int slot) {
        return headers * HEADER_STRIDE + slot * slotBytes;
    }

    /** Returns where the receives of a region begin. */
    static int receives(int headers, int slots, int slotBytes) {
        return headers * HEADER_STRIDE + (int) slotBlock(slots, slotBytes);
    }
}
