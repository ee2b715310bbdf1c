package org.jvrpc.ibverbs.differential;

import java.nio.ByteBuffer;
import org.jvrpc.roce.wire.Aeth;
import org.jvrpc.roce.wire.Bth;
import org.jvrpc.roce.wire.Opcode;
import org.jvrpc.roce.wire.Psn;

/**
 * Which packet of a connection it is, whoever sends it: so that a fault befalls the same one of different devices.
 *
 * @param psn how far behind the requester's first
 * @param time 1 when it is sent for the first time
 */
record PacketName(Kind kind, int psn, int time) {

    /** What packets are. */
    enum Kind { REQUEST, ACK, SEQUENCE_NAK, RNR_NAK, FATAL_NAK, READ_RESPONSE, ATOMIC_ACK }

    /** Returns what a packet of the RC service is. @param bth where its BTH lies */
    static Kind kind(ByteBuffer frame, int bth) {
        int opcode = Bth.opcode(frame, bth);
        if (!Opcode.isResponse(opcode)) {
            return Kind.REQUEST;
        }
        if (opcode != Opcode.ACKNOWLEDGE) {
            return opcode == Opcode.ATOMIC_ACKNOWLEDGE ? Kind.ATOMIC_ACK : Kind.READ_RESPONSE;
        }
        int syndrome = syndrome(frame, bth);
        if (Aeth.isAck(syndrome)) {
            return Kind.ACK;
        }
        if (Aeth.isRnrNak(syndrome)) {
            return Kind.RNR_NAK;
        }
        return Aeth.isFatal(syndrome) ? Kind.FATAL_NAK : Kind.SEQUENCE_NAK;
    }

    /** Returns the syndrome of an acknowledgement. */
    static int syndrome(ByteBuffer frame, int bth) {
        return Aeth.syndrome(frame, bth + Bth.BYTES);
    }

    /** Returns how far a packet's PSN is behind the first. */
    static int behind(ByteBuffer frame, int bth, int first) {
        return Bth.psn(frame, bth) - first & Psn.MASK;
    }

    @Override
    public String toString() {
        return kind + " " + psn + (time == 1 ? "" : " time " + time);
    }
}
