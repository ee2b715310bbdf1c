package org.jvrpc.ibverbs.rxe;

import java.nio.ByteBuffer;
import org.jvrpc.ibverbs.binding.Struct;

/**
 * An element of a send ring: {@code struct rxe_send_wqe}. The kernel works on it in place: it must find it anew each
 * time that it is posted. Little-endian, as the machines are that this driver runs on.
 *
 * <pre>
 *   0 wr_id:64
 *   8 reserved:32, opcode:32
 *  16 send_flags:32, imm_data:32 (big-endian)
 *  24 one-sided: remote_addr:64            datagram: remote_qpn:32, remote_qkey:32
 *  32 rkey:32, or compare_add:64           datagram: pkey_index:16, 0:16, ah_num:32
 *  40 atomics: swap:64
 *  48 atomics: rkey:32
 * 144 status:32, state:32
 * 152 iova:64
 * 160 mask:32, first_psn:32, last_psn:32, ack_length:32
 * 176 ssn:32, has_rd_atomic:32
 * 184 dma.length:32, dma.resid:32
 * 192 dma.cur_sge:32, dma.num_sge:32
 * 200 dma.sge_offset:32, 0:32
 * 208 SGEs of addr:64, length:32, lkey:32; or the inline data
 * </pre>
 */
final class RxeSendWqe {

    /** Size without SGEs. */
    static final int BYTES = 208;

    static final Struct STRUCT = Struct.of("struct rxe_send_wqe", "<rdma/rdma_user_rxe.h>", BYTES);

    static final int WR_ID = STRUCT.field("wr.wr_id", 0, 8);
    static final int OPCODE = STRUCT.field("wr.opcode", 12, 4);
    static final int SEND_FLAGS = STRUCT.field("wr.send_flags", 16, 4);
    static final int IMM_DATA = STRUCT.field("wr.ex.imm_data", 20, 4);
    static final int REMOTE_ADDR = STRUCT.field("wr.wr.rdma.remote_addr", 24, 8);
    static final int RKEY = STRUCT.field("wr.wr.rdma.rkey", 32, 4);
    static final int COMPARE_ADD = STRUCT.field("wr.wr.atomic.compare_add", 32, 8);
    static final int SWAP = STRUCT.field("wr.wr.atomic.swap", 40, 8);
    static final int ATOMIC_RKEY = STRUCT.field("wr.wr.atomic.rkey", 48, 4);
    static final int REMOTE_QPN = STRUCT.field("wr.wr.ud.remote_qpn", 24, 4);
    static final int REMOTE_QKEY = STRUCT.field("wr.wr.ud.remote_qkey", 28, 4);
    static final int AH_NUM = STRUCT.field("wr.wr.ud.ah_num", 36, 4);
    static final int STATUS = STRUCT.field("status", 144, 4);
    static final int STATE = STRUCT.field("state", 148, 4);
    static final int IOVA = STRUCT.field("iova", 152, 8);
    static final int SSN = STRUCT.field("ssn", 176, 4);
    static final int HAS_RD_ATOMIC = STRUCT.field("has_rd_atomic", 180, 4);
    static final int DMA_LENGTH = STRUCT.field("dma.length", 184, 4);
    static final int DMA_RESID = STRUCT.field("dma.resid", 188, 4);
    static final int DMA_CUR_SGE = STRUCT.field("dma.cur_sge", 192, 4);
    static final int DMA_NUM_SGE = STRUCT.field("dma.num_sge", 196, 4);
    static final int DMA_SGE_OFFSET = STRUCT.field("dma.sge_offset", 200, 4);
    static final int DATA = BYTES;

    /** {@code wqe_state_error}, a value of {@code state}. */
    static final int STATE_ERROR = 4;

    // The WR as the longs in which a stateful verb call keeps it: what is not here is the same in every WQE.

    /** {@code reserved, opcode}. */
    static final int W_OPCODE = 0;
    /** {@code send_flags, imm_data}. */
    static final int W_FLAGS = 1;
    /** {@code remote_addr}, or {@code remote_qpn, remote_qkey}. */
    static final int W_REMOTE = 2;
    /** {@code rkey}, {@code compare_add}, or {@code pkey_index, ah_num}. */
    static final int W_SECOND = 3;
    /** {@code swap}. */
    static final int W_SWAP = 4;
    /** {@code rkey} of atomics. */
    static final int W_ATOMIC_RKEY = 5;
    /** {@code iova}. */
    static final int W_IOVA = 6;
    /** {@code dma.length} and {@code dma.num_sge}. */
    static final int W_LENGTH = 7;
    /** The SGEs, two longs each. */
    static final int W_SGES = 8;

    private RxeSendWqe() {
    }

    /** Returns the long of two ints that lie one behind the other. */
    static long pair(int first, int second) {
        return (long) second << 32 | first & 0xffffffffL;
    }

    /**
     * Writes a WQE but for its data.
     *
     * @param from of the WR in {@code words}
     * @param remote how many of the words from {@link #W_REMOTE} on the opcode has, 0 to 4
     */
    static void write(ByteBuffer memory, int at, long wrId, int ssn, long[] words, int from, int remote) {
        memory.putLong(at + WR_ID, wrId);
        memory.putLong(at + OPCODE - 4, words[from + W_OPCODE]);
        memory.putLong(at + SEND_FLAGS, words[from + W_FLAGS]);
        if (remote != 0) {
            writeRemote(memory, at, words, from, remote);
        }
        memory.putLong(at + STATUS, 0);
        memory.putLong(at + IOVA, words[from + W_IOVA]);
        memory.putLong(at + SSN, ssn & 0xffffffffL);
        long length = words[from + W_LENGTH];
        memory.putLong(at + DMA_LENGTH, length << 32 | length & 0xffffffffL);
        memory.putLong(at + DMA_CUR_SGE, length & 0xffffffff00000000L);
        memory.putLong(at + DMA_SGE_OFFSET, 0);
    }

    private static void writeRemote(ByteBuffer memory, int at, long[] words, int from, int remote) {
        for (int i = 0; i < remote; i++) {
            memory.putLong(at + REMOTE_ADDR + 8 * i, words[from + W_REMOTE + i]);
        }
    }

    /** Writes the SGEs of a WQE; the usual counts without a loop, which costs more than what it does. */
    static void writeSges(ByteBuffer memory, int at, long[] words, int from, int count) {
        int first = from + W_SGES;
        if (count > 0) {
            memory.putLong(at + DATA, words[first]);
            memory.putLong(at + DATA + 8, words[first + 1]);
        }
        if (count > 1) {
            memory.putLong(at + DATA + 16, words[first + 2]);
            memory.putLong(at + DATA + 24, words[first + 3]);
        }
        for (int i = 2; i < count; i++) {
            memory.putLong(at + DATA + 16 * i, words[first + 2 * i]);
            memory.putLong(at + DATA + 16 * i + 8, words[first + 2 * i + 1]);
        }
    }
}
