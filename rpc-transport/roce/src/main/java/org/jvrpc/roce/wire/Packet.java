package org.jvrpc.roce.wire;

import java.nio.ByteBuffer;

/**
 * A packet that came: where it lies, and what its BTH says, each field read once. Filled again for the next one. One
 * thread.
 */
public final class Packet {

    /** Whether a packet is one, or why not; in the order in which it is looked at. */
    public enum Verdict {
        /** It is: what follows depends on the QP. */
        OK,
        /** Shorter than a BTH. */
        SHORT,
        /** An opcode that nobody here knows. */
        OPCODE,
        /** Shorter than its headers and pad. */
        LENGTH,
        /** Of another version of the transport. */
        VERSION,
        /** Of another partition. */
        PARTITION
    }

    private static final int WORD_BYTES = 4;

    private ByteBuffer buffer;
    private int at;
    private int opcode;
    private int qpn;
    private int psn;
    private int payload;
    private int length;
    private boolean ackRequested;
    private boolean solicited;

    /**
     * Looks at the bytes from the BTH to the pad, without the ICRC.
     *
     * @param bytes big-endian
     */
    public Verdict parse(ByteBuffer bytes, int offset, int count) {
        if (count < Bth.BYTES) {
            return Verdict.SHORT;
        }
        opcode = Bth.opcode(bytes, offset);
        int headers = Opcode.headerBytes(opcode);
        if (headers == 0) {
            return Verdict.OPCODE;
        }
        length = count - headers - Bth.pad(bytes, offset);
        if (length < 0 || count % WORD_BYTES != 0) {
            return Verdict.LENGTH;
        }
        if (Bth.version(bytes, offset) != 0) {
            return Verdict.VERSION;
        }
        if (Bth.pkey(bytes, offset) != Bth.DEFAULT_PKEY) {
            return Verdict.PARTITION;
        }
        buffer = bytes;
        at = offset;
        payload = offset + headers;
        qpn = Bth.qpn(bytes, offset);
        psn = Bth.psn(bytes, offset);
        ackRequested = Bth.isAckRequested(bytes, offset);
        solicited = Bth.isSolicited(bytes, offset);
        return Verdict.OK;
    }

    public ByteBuffer buffer() {
        return buffer;
    }

    /** Returns where the header behind the BTH lies. */
    public int extension() {
        return at + Bth.BYTES;
    }

    public int opcode() {
        return opcode;
    }

    public int qpn() {
        return qpn;
    }

    public int psn() {
        return psn;
    }

    /** Returns where the payload lies. */
    public int payload() {
        return payload;
    }

    /** Returns the length of the payload, without pad. */
    public int length() {
        return length;
    }

    public boolean isAckRequested() {
        return ackRequested;
    }

    public boolean isSolicited() {
        return solicited;
    }

    /** Returns the immediate data or the rkey that is the last header of some opcodes. */
    public int word() {
        return buffer.getInt(payload - Integer.BYTES);
    }

    /** Returns the value that an atomic found. */
    public long original() {
        return buffer.getLong(payload - Long.BYTES);
    }
}
