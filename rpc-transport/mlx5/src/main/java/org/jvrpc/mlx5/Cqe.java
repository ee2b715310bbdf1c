package org.jvrpc.mlx5;

import java.nio.ByteBuffer;

/**
 * Layout of a CQE of 64 bytes. In a CQ of 128-byte entries it is the second half; the first takes data of 33
 * bytes and more.
 *
 * <pre>
 *  0 data of up to 32 bytes, when scattered to the CQE | 24 flags:8 remote qpn:24 | 32 srqn:32
 * 36 immediate:32 | 44 byte count:32
 * 48 timestamp:64; in an error CQE 54 vendor error:8, 55 syndrome:8
 * 56 send opcode:8 qpn:24 | 60 wqe counter:16 | 62 signature:8 | 63 opcode:4 format:3 owner:1
 * </pre>
 * A message that lies in front of its tail ({@link #lineTail}) may have bytes 0 to 55; its tail has their number in the
 * place of the send opcode.
 * The WQE counter of a receive from an SRQ is the WQE's index there. Datagrams are never scattered to the CQE: their
 * sender's number lies where the data would.
 * The last 8 bytes are written last and at once: {@link #tail} makes them, and they alone say whether the CQE is valid.
 * The signature, which mlx5 leaves to checksums that are off by default, holds the low 8 bits of the lap here.
 */
public final class Cqe {

    /** Bytes in a CQE. */
    public static final int BYTES = 64;
    /** Offset of flags and the number of the QP that sent a datagram. */
    public static final int FLAGS_RQPN = 24;
    /**
     * Offset of the number of the SRQ that a receive is of; without meaning for a receive of the QP's own. Cards put an
     * index of the user's there instead, so that the driver goes by the QP's number alone.
     */
    public static final int SRQN = 32;
    /** Offset of the immediate data. */
    public static final int IMMEDIATE = 36;
    /** Offset of the byte count. */
    public static final int BYTE_COUNT = 44;
    /** Offset of the vendor's error number. */
    public static final int VENDOR_ERROR = 54;
    /** Offset of the syndrome. */
    public static final int SYNDROME = 55;
    /** Offset of the last 8 bytes. */
    public static final int TAIL = 56;

    /** A send completed. */
    public static final int REQ = 0;
    /** An RDMA WRITE with immediate arrived. */
    public static final int RESP_WR_IMM = 1;
    /** A SEND arrived. */
    public static final int RESP_SEND = 2;
    /** A SEND with immediate arrived. */
    public static final int RESP_SEND_IMM = 3;
    /** A SEND that invalidates a key arrived. */
    public static final int RESP_SEND_INV = 4;
    /** A send failed. */
    public static final int REQ_ERR = 13;
    /** A receive failed. */
    public static final int RESP_ERR = 14;
    /** Nothing yet. */
    public static final int INVALID = 15;

    /** Format bit: up to 32 bytes of data lie at the start of the CQE. */
    public static final int INLINE_32 = 4;
    /** Format bit: up to 64 bytes of data lie in the 64 bytes before the CQE. */
    public static final int INLINE_64 = 8;
    /**
     * Both format bits, which no card sets: up to 96 bytes of data lie in the 64 bytes before the CQE and in its first
     * 32. Of software devices.
     */
    public static final int INLINE_96 = INLINE_64 | INLINE_32;
    private static final int FORMAT_MASK = 0xc;
    /**
     * As many bytes of a message lie in front of its CQE's tail, and the tail says their number, where a CQE of {@link
     * #INLINE_96} has a byte for the opcode of the send that is 0 otherwise: one cache line brings all. Of software
     * devices, for messages without immediate data to receives of the QP's own.
     */
    public static final int LINE_BYTES = TAIL;

    private Cqe() {
    }

    /**
     * Makes the last 8 bytes.
     *
     * @param sendOpcode opcode of the WQE, 0 for receives but those of {@link #lineTail}
     * @param lap how often the ring went round before; its lowest bit is the owner bit
     * @param format {@link #INLINE_32}, {@link #INLINE_64}, {@link #INLINE_96} or 0
     */
    public static long tail(int sendOpcode, int qpn, int wqeCounter, int lap, int opcode, int format) {
        return (long) sendOpcode << 56
                | (qpn & 0xffffffL) << 32
                | (wqeCounter & 0xffffL) << 16
                | (lap & 0xffL) << 8
                | (long) opcode << 4
                | format
                | lap & 1;
    }

    /**
     * Makes the last 8 bytes of a CQE that one of several producers has claimed and not written yet. Of software
     * devices, whose producers are processes.
     *
     * @param process number of the producer, 24 bits
     */
    public static long claim(int process, int qpn, int lap) {
        return tail(process >>> 16, qpn, process, lap, INVALID, 0);
    }

    /** Returns the process of a {@link #claim}. */
    public static int claimant(long tail) {
        return sendOpcode(tail) << 16 | wqeCounter(tail);
    }

    /** Returns true when the CQE with this tail was written in the lap. */
    public static boolean valid(long tail, int lap) {
        return (tail >> 4 & 0xf) != INVALID && (tail & 1) == (lap & 1);
    }

    /** Returns the opcode of a tail. */
    public static int opcode(long tail) {
        return (int) tail >> 4 & 0xf;
    }

    /** Returns true when a receive with this opcode brings immediate data. */
    public static boolean hasImmediate(int opcode) {
        return (opcode & 1) != 0;
    }

    /** Returns true when a CQE with this opcode takes a receive. */
    public static boolean isReceive(int opcode) {
        return opcode >= RESP_WR_IMM && opcode <= RESP_SEND_INV || opcode == RESP_ERR;
    }

    /** Returns the format bits of a tail. */
    public static int format(long tail) {
        return (int) tail & FORMAT_MASK;
    }

    /** Returns how many bytes of data a CQE of this format holds at most. */
    public static int inlineBytes(int format) {
        return switch (format) {
            case INLINE_32 -> 32;
            case INLINE_64 -> 64;
            case INLINE_96 -> 96;
            default -> 0;
        };
    }

    /** Returns where the data of a CQE at {@code at} begins. */
    public static int inlineOffset(int at, int format) {
        return format == INLINE_32 ? at : at - BYTES;
    }

    /** Makes the tail of a message of 1 to {@link #LINE_BYTES} bytes that lies in front of it. */
    public static long lineTail(int bytes, int qpn, int wqeCounter, int lap) {
        return tail(bytes, qpn, wqeCounter, lap, RESP_SEND, INLINE_96);
    }

    /** Returns how many bytes of a message lie in front of its tail, 1 to 255; 0 when they lie elsewhere. */
    public static int lineBytes(long tail) {
        return format(tail) == INLINE_96 ? sendOpcode(tail) : 0;
    }

    /** Returns the lap of a tail, its low 8 bits. */
    public static int lap(long tail) {
        return (int) tail >> 8 & 0xff;
    }

    /** Returns the WQE counter of a tail, 16 bits. */
    public static int wqeCounter(long tail) {
        return (int) tail >>> 16;
    }

    /** Returns the QP number of a tail. */
    public static int qpn(long tail) {
        return (int) (tail >>> 32) & 0xffffff;
    }

    /** Returns the opcode of the WQE of a tail, of a send's. */
    public static int sendOpcode(long tail) {
        return (int) (tail >>> 56);
    }

    /** Makes every CQE of a ring invalid, as a new one is. */
    public static void initialize(ByteBuffer ring, int offset, int count, int cqeBytes) {
        for (int i = 0; i < count; i++) {
            BigEndian.putLong(ring, offset + (i + 1) * cqeBytes - BYTES + TAIL, tail(0, 0, 0, 0xff, INVALID, 0));
        }
    }
}
