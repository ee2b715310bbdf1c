package org.jvrpc.roce.wire;

import java.nio.ByteBuffer;

/**
 * Congestion notification packet, from a receiver of packets with a CE mark to the QP that sent them.
 *
 * <pre>
 * 0 BTH: opcode 0x81, BECN, PSN 0 | 12 zeros:128
 * </pre>
 * Source: IBA volume 1, annex A17.9.3.
 */
public final class Cnp {

    /** Bytes from the BTH on, without ICRC. */
    public static final int BYTES = Bth.BYTES + 16;

    private Cnp() {
    }

    /** Writes one; returns {@link #BYTES}. */
    public static int write(ByteBuffer packet, int at, int qpn) {
        Bth.write(packet, at, Opcode.CNP, 0, false, false, qpn, 0);
        Bth.setBecn(packet, at);
        packet.putLong(at + Bth.BYTES, 0);
        packet.putLong(at + Bth.BYTES + Long.BYTES, 0);
        return BYTES;
    }
}
