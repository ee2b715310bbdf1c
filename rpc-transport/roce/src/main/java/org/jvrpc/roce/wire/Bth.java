package org.jvrpc.roce.wire;

import java.nio.ByteBuffer;

/**
 * Base transport header, in front of every packet.
 *
 * <pre>
 * 0 opcode:8 | 1 SE:1 MigReq:1 pad:2 TVer:4 | 2 P_Key:16
 * 4 FECN:1 BECN:1 reserved:6 | 5 destination QPN:24
 * 8 AckReq:1 reserved:7 | 9 PSN:24
 * </pre>
 */
public final class Bth {

    /** Bytes in the header. */
    public static final int BYTES = 12;
    /** The partition that everyone is in. */
    public static final int DEFAULT_PKEY = 0xffff;

    private static final int FLAGS = 1;
    private static final int PKEY = 2;
    private static final int CONGESTION = 4;
    private static final int ACK_REQ = 8;

    private static final int SE = 0x80;
    private static final int MIG_REQ = 0x40;
    private static final int PAD_SHIFT = 4;
    private static final int PAD_MASK = 3;
    private static final int VERSION_MASK = 0xf;
    private static final int BECN = 0x40;
    private static final int TOP_BIT = 1 << 31;
    private static final int QPN_MASK = 0xffffff;

    private Bth() {
    }

    /**
     * Writes a header as cards do, with MigReq set, in the default partition.
     *
     * @param pad zero bytes behind the payload, 0 to 3
     */
    public static void write(
            ByteBuffer packet, int at, int opcode, int pad, boolean solicited, boolean ackReq, int qpn, int psn) {
        int flags = MIG_REQ | pad << PAD_SHIFT | (solicited ? SE : 0);
        packet.putInt(at, opcode << 24 | flags << 16 | DEFAULT_PKEY);
        packet.putInt(at + CONGESTION, qpn & QPN_MASK);
        packet.putInt(at + ACK_REQ, psn & Psn.MASK | (ackReq ? TOP_BIT : 0));
    }

    /** Marks a packet as a notification of congestion. */
    static void setBecn(ByteBuffer packet, int at) {
        packet.put(at + CONGESTION, (byte) BECN);
    }

    public static int opcode(ByteBuffer packet, int at) {
        return packet.get(at) & 0xff;
    }

    public static boolean isSolicited(ByteBuffer packet, int at) {
        return (packet.get(at + FLAGS) & SE) != 0;
    }

    /** Returns how many bytes follow the payload to fill its last four. */
    public static int pad(ByteBuffer packet, int at) {
        return packet.get(at + FLAGS) >> PAD_SHIFT & PAD_MASK;
    }

    /** Returns the version of the transport, which is 0. */
    public static int version(ByteBuffer packet, int at) {
        return packet.get(at + FLAGS) & VERSION_MASK;
    }

    public static int pkey(ByteBuffer packet, int at) {
        return packet.getShort(at + PKEY) & 0xffff;
    }

    public static boolean isBecn(ByteBuffer packet, int at) {
        return (packet.get(at + CONGESTION) & BECN) != 0;
    }

    /** Returns the number of the QP that a packet is for. */
    public static int qpn(ByteBuffer packet, int at) {
        return packet.getInt(at + CONGESTION) & QPN_MASK;
    }

    public static boolean isAckRequested(ByteBuffer packet, int at) {
        return packet.get(at + ACK_REQ) < 0;
    }

    public static int psn(ByteBuffer packet, int at) {
        return packet.getInt(at + ACK_REQ) & Psn.MASK;
    }
}
