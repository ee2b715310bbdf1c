package org.jvrpc.roce.ud;

import java.nio.ByteBuffer;
import org.jvrpc.roce.wire.Bth;
import org.jvrpc.roce.wire.Deth;
import org.jvrpc.roce.wire.Opcode;
import org.jvrpc.roce.wire.Pad;
import org.jvrpc.roce.wire.Psn;

/** Writes the datagrams of a QP: their PSNs count on whoever they go to. */
public final class UdRequester {

    private final int qpn;
    private int psn;

    /**
     * @param qpn of the QP, which receivers are told
     * @param psn of its first packet
     */
    public UdRequester(int qpn, int psn) {
        this.qpn = qpn;
        this.psn = psn & Psn.MASK;
    }

    /** Returns how many bytes lie before the payload. */
    public static int headerBytes(boolean hasImmediate) {
        return Opcode.headerBytes(opcode(hasImmediate));
    }

    private static int opcode(boolean hasImmediate) {
        return hasImmediate ? Opcode.UD_SEND_ONLY_IMM : Opcode.UD_SEND_ONLY;
    }

    /**
     * Writes the headers before a payload that lies {@link #headerBytes} behind {@code at}, and the pad behind it.
     *
     * @param packet big-endian
     * @param length of the payload, up to the MTU
     * @param immediate without meaning where there is none
     * @param to number of the QP that it is for
     * @return bytes from BTH to pad
     */
    public int write(ByteBuffer packet, int at, int length, boolean hasImmediate, int immediate, boolean solicited,
            int to, int qkey) {
        int opcode = opcode(hasImmediate);
        int payload = at + Opcode.headerBytes(opcode);
        int pad = Pad.write(packet, payload + length, length);
        Bth.write(packet, at, opcode, pad, solicited, false, to, psn);
        psn = Psn.plus(psn, 1);
        Deth.write(packet, at + Bth.BYTES, qkey, qpn);
        if (hasImmediate) {
            packet.putInt(payload - Integer.BYTES, immediate);
        }
        return payload + length + pad - at;
    }
}
