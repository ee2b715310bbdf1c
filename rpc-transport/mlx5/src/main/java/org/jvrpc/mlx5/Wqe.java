package org.jvrpc.mlx5;

import java.nio.ByteBuffer;
import org.jvrpc.verbs.SendRequest;

/**
 * Layout of a send WQE: segments of 16 bytes in blocks of 64. A SEND is ctrl, data…; an RDMA WRITE or READ ctrl, raddr,
 * data…; an atomic ctrl, raddr, atomic, data; a NOP ctrl alone. A SEND of a UD QP is ctrl, the {@link AddressVector},
 * data….
 *
 * <pre>
 * ctrl    0 opmod:8 index:16 opcode:8 | 4 qpn:24 ds:8 | 8 signature:8 dci:16 fm_ce_se:8 | 12 immediate
 * raddr   0 address:64                                | 8 rkey:32                       | 12 zero
 * atomic  0 swap or add:64                            | 8 compare:64
 * data    0 length:32 (bit 31 clear)                  | 4 lkey:32                       | 8 address:64
 * inline  0 length:32 (bit 31 set), then the bytes, padded to 16
 * wait    0 zero:64                                   | 8 producer index:32             | 12 cqn:32
 * enable  0 zero:64                                   | 8 producer index:32             | 12 qpn:32
 * masked compare-and-swap, in place of atomic: 0 swap:64 | 8 compare:64 | 16 swap mask:64 | 24 compare mask:64
 * masked fetch-and-add, in place of atomic:    0 add:64  | 8 field boundary:64
 * </pre>
 * WAIT and the two ENABLEs are ctrl and their segment. WAIT holds its queue until the CQ has produced the completion
 * of that index, the first being 0 (24 bits count). ENABLE lets the queue that it names run up to that index, itself
 * excluded: blocks of an SQ, WQEs of an RQ (16 bits count); a lower index than before has no effect. A masked atomic
 * of 8 bytes has opmod {@link #MASKED_8}; each bit of a field boundary ends a field that gives no carry. An opmod of
 * {@link #CALC_ADD} and so on makes of a WRITE or SEND a calculation over the 64-bit words of its data.
 * {@code ds} counts segments of 16 bytes, ctrl included, 6 bits. The length of a data segment is 1 to 2<sup>31</sup>,
 * which is written as 0: a piece of no bytes has no segment. A receive WQE is data segments up to the ring's stride, or
 * up to an end marker: length 0, {@link #END_LKEY}.
 */
public final class Wqe {

    /** Bytes in a WQE basic block. */
    public static final int BLOCK = 64;
    /** Bytes in a segment. */
    public static final int SEGMENT = 16;
    /** The most segments of a WQE. */
    public static final int MAX_SEGMENTS = 63;

    /** Does nothing. */
    public static final int NOP = 0x00;
    /** RDMA WRITE. */
    public static final int RDMA_WRITE = 0x08;
    /** RDMA WRITE with immediate. */
    public static final int RDMA_WRITE_IMM = 0x09;
    /** SEND. */
    public static final int SEND = 0x0a;
    /** SEND with immediate. */
    public static final int SEND_IMM = 0x0b;
    /** RDMA READ. */
    public static final int RDMA_READ = 0x10;
    /** Compare and swap. */
    public static final int ATOMIC_CS = 0x11;
    /** Fetch and add. */
    public static final int ATOMIC_FA = 0x12;

    /** Masked compare and swap. */
    public static final int ATOMIC_MASKED_CS = 0x14;
    /** Masked fetch and add. */
    public static final int ATOMIC_MASKED_FA = 0x15;
    /** Holds its queue until a CQ has a completion. */
    public static final int WAIT = 0x0f;
    /** Lets a managed receive queue go on. */
    public static final int RECV_ENABLE = 0x16;
    /** Lets a managed send queue go on. */
    public static final int SEND_ENABLE = 0x17;

    /** Opmod of a masked atomic of 8 bytes. */
    public static final int MASKED_8 = 8 | 1;
    /** Opmod of a WRITE or SEND: the sum of its 64-bit words travels in their place. */
    public static final int CALC_ADD = 1;
    /** The greatest of them, unsigned. */
    public static final int CALC_MAX = 3;
    /** Their conjunction, bit by bit. */
    public static final int CALC_AND = 4;
    /** Their disjunction. */
    public static final int CALC_OR = 5;
    /** Their exclusive disjunction. */
    public static final int CALC_XOR = 6;

    /** In fm_ce_se: a CQE always. */
    public static final int CE_ALWAYS = 0x08;
    /** In fm_ce_se: solicited event. */
    public static final int SOLICITED = 0x02;
    /** In fm_ce_se: fence. */
    public static final int FENCE = 4 << 5;
    /** In a data segment's length: the bytes follow. */
    public static final int INLINE = 0x80000000;
    /** The lkey that ends the list of a receive WQE with fewer segments than the ring's stride holds. */
    public static final int END_LKEY = 0x100;

    /** Offset of qpn and ds. */
    public static final int QPN_DS = 4;
    /** Offset of fm_ce_se. */
    public static final int FM_CE_SE = 11;
    /** Offset of the immediate data. */
    public static final int IMMEDIATE = 12;
    /** Offset of the raddr segment. */
    public static final int REMOTE = SEGMENT;
    /** Offset of the address vector of a datagram. */
    public static final int VECTOR = SEGMENT;
    /** Offset of the first data segment of a datagram. */
    public static final int DATAGRAM_DATA = VECTOR + AddressVector.BYTES;
    /** Offset of the atomic segment. */
    public static final int ATOMIC = 2 * SEGMENT;
    /** Offset in an atomic segment of what is compared, or of a masked fetch-and-add's field boundary. */
    public static final int ATOMIC_COMPARE = 8;
    /** Offset of the producer index of a WAIT or an ENABLE. */
    public static final int INDEX = SEGMENT + 8;
    /** Offset of the number of the CQ or QP of a WAIT or an ENABLE. */
    public static final int OBJECT = SEGMENT + 12;
    /** Offset of the key in a data segment. */
    public static final int DATA_LKEY = 4;
    /** Offset of the address in a data segment. */
    public static final int DATA_ADDRESS = 8;

    private Wqe() {
    }

    /** Returns the first word of a ctrl segment. */
    public static int opmodIndexOpcode(int opmod, int index, int opcode) {
        return opmod << 24 | (index & 0xffff) << 8 | opcode;
    }

    /** Returns the opcode of a ctrl segment's first word. */
    public static int opcode(int word) {
        return word & 0xff;
    }

    /** Returns the WQE index of a ctrl segment's first word. */
    public static int index(int word) {
        return word >>> 8 & 0xffff;
    }

    /** Returns the opmod of a ctrl segment's first word. */
    public static int opmod(int word) {
        return word >>> 24;
    }

    /** Returns the QP number of a ctrl segment's second word. */
    public static int qpn(int word) {
        return word >>> 8;
    }

    /** Returns the number of segments of a ctrl segment's second word. */
    public static int segments(int word) {
        return word & 0x3f;
    }

    /** Returns the number of blocks that so many segments take. */
    public static int blocks(int segments) {
        return segments + 3 >> 2;
    }

    /** Reads fm_ce_se of the WQE at {@code offset}. */
    public static int flags(ByteBuffer ring, int offset) {
        return ring.get(offset + FM_CE_SE);
    }

    /** Returns true when the WQE whose ctrl segment has these last 8 bytes asks for a CQE. */
    public static boolean isSignalled(long flags) {
        return (flags >>> 32 & CE_ALWAYS) != 0;
    }

    /** Reads the length word of the data segment at {@code offset}. */
    public static int dataLength(ByteBuffer ring, int offset) {
        return BigEndian.getInt(ring, offset);
    }

    /** Reads how many bytes the data segment at {@code offset} has: 0 stands for 2 GiB. */
    public static long byteCount(ByteBuffer ring, int offset) {
        return byteCount(dataLength(ring, offset));
    }

    /** Returns how many bytes a data segment with this length word has. */
    public static long byteCount(int length) {
        return length == 0 ? 1L << 31 : length & Integer.MAX_VALUE;
    }

    /** Returns true when the data segment at {@code offset} is the end marker of a receive WQE. */
    public static boolean isEnd(ByteBuffer ring, int offset) {
        return dataLength(ring, offset) == 0 && dataLkey(ring, offset) == END_LKEY;
    }

    /** Reads the key of the data segment at {@code offset}. */
    public static int dataLkey(ByteBuffer ring, int offset) {
        return BigEndian.getInt(ring, offset + DATA_LKEY);
    }

    /** Reads the address of the data segment at {@code offset}. */
    public static long dataAddress(ByteBuffer ring, int offset) {
        return BigEndian.getLong(ring, offset + DATA_ADDRESS);
    }

    /** Returns the offset of the first data segment for an opcode. */
    public static int dataOffset(int opcode) {
        return switch (opcode) {
            case RDMA_WRITE, RDMA_WRITE_IMM, RDMA_READ -> 2 * SEGMENT;
            case ATOMIC_CS, ATOMIC_FA, ATOMIC_MASKED_FA -> 3 * SEGMENT;
            case ATOMIC_MASKED_CS -> 4 * SEGMENT;
            default -> SEGMENT;
        };
    }

    static boolean isSent(int opcode) {
        return opcode == SEND || opcode == SEND_IMM || opcode == RDMA_WRITE || opcode == RDMA_WRITE_IMM;
    }

    /** Returns true when the data segments of a WQE take what comes back. */
    static boolean isAnswered(int opcode) {
        return opcode == RDMA_READ || opcode == ATOMIC_CS || opcode == ATOMIC_FA || opcode == ATOMIC_MASKED_CS
                || opcode == ATOMIC_MASKED_FA;
    }

    static int opcodeOf(SendRequest.Opcode opcode) {
        return switch (opcode) {
            case SEND -> SEND;
            case SEND_WITH_IMM -> SEND_IMM;
            case RDMA_WRITE -> RDMA_WRITE;
            case RDMA_WRITE_WITH_IMM -> RDMA_WRITE_IMM;
            case RDMA_READ -> RDMA_READ;
            case COMPARE_SWAP -> ATOMIC_CS;
            case FETCH_ADD -> ATOMIC_FA;
        };
    }
}
