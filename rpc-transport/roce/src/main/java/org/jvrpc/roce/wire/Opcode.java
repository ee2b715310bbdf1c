package org.jvrpc.roce.wire;

/**
 * Opcodes of the BTH: three bits of service, five of operation; and which headers follow. Source: IBA volume 1, table
 * 38; rxe_opcode.c.
 */
public final class Opcode {

    public static final int SEND_FIRST = 0x00;
    public static final int SEND_MIDDLE = 0x01;
    public static final int SEND_LAST = 0x02;
    public static final int SEND_LAST_IMM = 0x03;
    public static final int SEND_ONLY = 0x04;
    public static final int SEND_ONLY_IMM = 0x05;
    public static final int WRITE_FIRST = 0x06;
    public static final int WRITE_MIDDLE = 0x07;
    public static final int WRITE_LAST = 0x08;
    public static final int WRITE_LAST_IMM = 0x09;
    public static final int WRITE_ONLY = 0x0a;
    public static final int WRITE_ONLY_IMM = 0x0b;
    public static final int READ_REQUEST = 0x0c;
    public static final int READ_RESPONSE_FIRST = 0x0d;
    public static final int READ_RESPONSE_MIDDLE = 0x0e;
    public static final int READ_RESPONSE_LAST = 0x0f;
    public static final int READ_RESPONSE_ONLY = 0x10;
    public static final int ACKNOWLEDGE = 0x11;
    public static final int ATOMIC_ACKNOWLEDGE = 0x12;
    public static final int COMPARE_SWAP = 0x13;
    public static final int FETCH_ADD = 0x14;
    public static final int SEND_LAST_INVALIDATE = 0x16;
    public static final int SEND_ONLY_INVALIDATE = 0x17;
    /** Unreliable datagram. */
    public static final int UD_SEND_ONLY = 0x64;
    public static final int UD_SEND_ONLY_IMM = 0x65;
    /** Notification of congestion; see {@link Cnp}. */
    public static final int CNP = 0x81;

    private static final int ALL = 256;
    private static final int SERVICE_MASK = 0xe0;
    private static final int RC = 0;
    private static final int UD = 0x60;
    private static final int KNOWN = 1;
    private static final int HAS_RETH = 2;
    private static final int HAS_ATOMIC = 4;
    private static final int HAS_AETH = 8;
    private static final int HAS_ATOMIC_ACK = 16;
    private static final int HAS_WORD = 32;
    private static final int HAS_DETH = 64;
    private static final int RESPONSE = 128;
    /** The first packet of a message, or its only one. */
    private static final int BEGINS = 256;
    /** The last packet of a message, or its only one. */
    private static final int ENDS = 512;
    private static final int SEND = 1024;
    private static final int WRITE = 2048;
    private static final int TAKES_RECEIVE = 4096;
    private static final int ONLY = BEGINS | ENDS;

    private static final short[] TRAITS = new short[ALL];
    private static final byte[] HEADER_BYTES = new byte[ALL];

    static {
        know(SEND_FIRST, SEND | BEGINS | TAKES_RECEIVE);
        know(SEND_MIDDLE, SEND);
        know(SEND_LAST, SEND | ENDS);
        know(SEND_LAST_IMM, SEND | ENDS | HAS_WORD);
        know(SEND_ONLY, SEND | ONLY | TAKES_RECEIVE);
        know(SEND_ONLY_IMM, SEND | ONLY | TAKES_RECEIVE | HAS_WORD);
        know(SEND_LAST_INVALIDATE, SEND | ENDS | HAS_WORD);
        know(SEND_ONLY_INVALIDATE, SEND | ONLY | TAKES_RECEIVE | HAS_WORD);
        know(WRITE_FIRST, WRITE | BEGINS | HAS_RETH);
        know(WRITE_MIDDLE, WRITE);
        know(WRITE_LAST, WRITE | ENDS);
        know(WRITE_LAST_IMM, WRITE | ENDS | TAKES_RECEIVE | HAS_WORD);
        know(WRITE_ONLY, WRITE | ONLY | HAS_RETH);
        know(WRITE_ONLY_IMM, WRITE | ONLY | TAKES_RECEIVE | HAS_RETH | HAS_WORD);
        know(READ_REQUEST, ONLY | HAS_RETH);
        know(READ_RESPONSE_FIRST, RESPONSE | BEGINS | HAS_AETH);
        know(READ_RESPONSE_MIDDLE, RESPONSE);
        know(READ_RESPONSE_LAST, RESPONSE | ENDS | HAS_AETH);
        know(READ_RESPONSE_ONLY, RESPONSE | ONLY | HAS_AETH);
        know(ACKNOWLEDGE, RESPONSE | ONLY | HAS_AETH);
        know(ATOMIC_ACKNOWLEDGE, RESPONSE | ONLY | HAS_AETH | HAS_ATOMIC_ACK);
        know(COMPARE_SWAP, ONLY | HAS_ATOMIC);
        know(FETCH_ADD, ONLY | HAS_ATOMIC);
        know(UD_SEND_ONLY, SEND | ONLY | TAKES_RECEIVE | HAS_DETH);
        know(UD_SEND_ONLY_IMM, SEND | ONLY | TAKES_RECEIVE | HAS_DETH | HAS_WORD);
        know(CNP, ONLY);
    }

    private Opcode() {
    }

    private static void know(int opcode, int traits) {
        TRAITS[opcode] = (short) (KNOWN | traits);
        HEADER_BYTES[opcode] = (byte) (Bth.BYTES
                + ((traits & HAS_DETH) != 0 ? Deth.BYTES : 0)
                + ((traits & HAS_RETH) != 0 ? Reth.BYTES : 0)
                + ((traits & HAS_ATOMIC) != 0 ? AtomicEth.BYTES : 0)
                + ((traits & HAS_AETH) != 0 ? Aeth.BYTES : 0)
                + ((traits & HAS_ATOMIC_ACK) != 0 ? Long.BYTES : 0)
                + ((traits & HAS_WORD) != 0 ? Integer.BYTES : 0));
    }

    private static boolean has(int opcode, int trait) {
        return (TRAITS[opcode] & trait) != 0;
    }

    /** Returns true for the opcodes named here. */
    public static boolean isKnown(int opcode) {
        return has(opcode, KNOWN);
    }

    /** Returns how many bytes the BTH and the headers that follow it take; 0 for an opcode that is not known. */
    public static int headerBytes(int opcode) {
        return HEADER_BYTES[opcode];
    }

    /** Returns true for the reliable connected service. */
    public static boolean isRc(int opcode) {
        return (opcode & SERVICE_MASK) == RC;
    }

    /** Returns true for the unreliable datagram service. */
    public static boolean isUd(int opcode) {
        return (opcode & SERVICE_MASK) == UD;
    }

    /** Returns true for what a responder sends. */
    public static boolean isResponse(int opcode) {
        return has(opcode, RESPONSE);
    }

    /** Returns true for the first packet of a message, and for its only one. */
    public static boolean begins(int opcode) {
        return has(opcode, BEGINS);
    }

    /** Returns true for the last packet of a message, and for its only one. */
    public static boolean ends(int opcode) {
        return has(opcode, ENDS);
    }

    /** Returns true for any packet of a SEND. */
    public static boolean isSend(int opcode) {
        return has(opcode, SEND);
    }

    /** Returns true for any packet of a WRITE. */
    public static boolean isWrite(int opcode) {
        return has(opcode, WRITE);
    }

    /** Returns true for the two atomics. */
    public static boolean isAtomic(int opcode) {
        return has(opcode, HAS_ATOMIC);
    }

    /** Returns true for any packet of a READ's response. */
    public static boolean isReadResponse(int opcode) {
        return opcode >= READ_RESPONSE_FIRST && opcode <= READ_RESPONSE_ONLY;
    }

    /** Returns true for a packet without which there is no receive, or that needs one now. */
    public static boolean takesReceive(int opcode) {
        return has(opcode, TAKES_RECEIVE);
    }

    /** Returns true when an {@link Aeth} follows the BTH. */
    public static boolean hasAeth(int opcode) {
        return has(opcode, HAS_AETH);
    }

    /** Returns true when 4 bytes of immediate data are the last header. */
    public static boolean hasImmediate(int opcode) {
        return has(opcode, HAS_WORD) && !isInvalidate(opcode);
    }

    /** Returns true when the rkey to be invalidated is the last header. */
    public static boolean isInvalidate(int opcode) {
        return opcode == SEND_LAST_INVALIDATE || opcode == SEND_ONLY_INVALIDATE;
    }
}
