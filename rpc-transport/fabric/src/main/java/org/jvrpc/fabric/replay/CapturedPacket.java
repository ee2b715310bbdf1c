package org.jvrpc.fabric.replay;

import java.nio.ByteBuffer;
import org.jvrpc.roce.wire.Aeth;
import org.jvrpc.roce.wire.Opcode;
import org.jvrpc.roce.wire.Packet;
import org.jvrpc.roce.wire.Psn;
import org.jvrpc.roce.wire.Reth;

/**
 * A packet of the RC service in a capture.
 *
 * @param number of its frame, from 1 on, as Wireshark counts
 * @param from address
 * @param to address
 * @param bytes from the BTH to the pad
 * @param qpn that it is for
 * @param length of its payload
 */
record CapturedPacket(int number, long timeNs, String from, String to, ByteBuffer bytes, int opcode, int qpn, int psn,
        int length) {

    static CapturedPacket of(int number, long timeNs, String from, String to, Packet packet, ByteBuffer bytes) {
        return new CapturedPacket(number, timeNs, from, to, bytes, packet.opcode(), packet.qpn(), packet.psn(),
                packet.length());
    }

    boolean isResponse() {
        return Opcode.isResponse(opcode);
    }

    boolean isRead() {
        return opcode == Opcode.READ_REQUEST;
    }

    /** Has somebody take it: parses it anew. */
    Packet parse(Packet into) {
        into.parse(bytes, 0, bytes.limit());
        return into;
    }

    /** Returns how much a READ asks for. */
    long readBytes() {
        return Reth.length(bytes, 12);
    }

    int syndrome() {
        return Opcode.hasAeth(opcode) ? Aeth.syndrome(bytes, 12) : Aeth.ACK;
    }

    boolean isNakOfSequence() {
        return opcode == Opcode.ACKNOWLEDGE && syndrome() == Aeth.NAK_SEQUENCE;
    }

    boolean isRnrNak() {
        return opcode == Opcode.ACKNOWLEDGE && Aeth.isRnrNak(syndrome());
    }

    /** Returns the PSN behind its own, or behind those of what it asks for. */
    int endPsn(int mtu) {
        return isRead() ? Psn.plus(psn, (int) Math.max(1, (readBytes() + mtu - 1) / mtu)) : Psn.plus(psn, 1);
    }

    String words() {
        return name(opcode, syndrome()) + " PSN " + psn;
    }

    /** Returns what a packet is called. */
    static String name(int opcode, int syndrome) {
        if (opcode == Opcode.ACKNOWLEDGE) {
            return Aeth.isAck(syndrome) ? "ACK" : Aeth.isRnrNak(syndrome) ? "RNR NAK"
                    : syndrome == Aeth.NAK_SEQUENCE ? "NAK of the sequence"
                    : "NAK 0x" + Integer.toHexString(syndrome);
        }
        String kind = Opcode.isSend(opcode) ? "SEND" : Opcode.isWrite(opcode) ? "WRITE"
                : Opcode.isReadResponse(opcode) ? "READ response" : opcode == Opcode.READ_REQUEST ? "READ request"
                : opcode == Opcode.ATOMIC_ACKNOWLEDGE ? "atomic response" : "atomic";
        boolean begins = Opcode.begins(opcode);
        boolean ends = Opcode.ends(opcode);
        String place = !Opcode.isSend(opcode) && !Opcode.isWrite(opcode) && !Opcode.isReadResponse(opcode) ? ""
                : begins ? ends ? " only" : " first" : ends ? " last" : " middle";
        return kind + place;
    }
}
