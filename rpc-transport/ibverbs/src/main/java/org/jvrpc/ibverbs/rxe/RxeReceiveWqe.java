package org.jvrpc.ibverbs.rxe;

import java.nio.ByteBuffer;
import org.jvrpc.ibverbs.binding.Struct;

/**
 * An element of a receive ring: {@code struct rxe_recv_wqe}. The kernel works on it in place, or on a copy of an SRQ's.
 *
 * <pre>
 *  0 wr_id:64
 *  8 reserved:64
 * 16 dma.length:32, dma.resid:32
 * 24 dma.cur_sge:32, dma.num_sge:32
 * 32 dma.sge_offset:32, 0:32
 * 40 SGEs of addr:64, length:32, lkey:32
 * </pre>
 */
final class RxeReceiveWqe {

    /** Size without SGEs. */
    static final int BYTES = 40;

    static final Struct STRUCT = Struct.of("struct rxe_recv_wqe", "<rdma/rdma_user_rxe.h>", BYTES);

    static final int WR_ID = STRUCT.field("wr_id", 0, 8);
    static final int DMA_LENGTH = STRUCT.field("dma.length", 16, 4);
    static final int DMA_RESID = STRUCT.field("dma.resid", 20, 4);
    static final int DMA_CUR_SGE = STRUCT.field("dma.cur_sge", 24, 4);
    static final int DMA_NUM_SGE = STRUCT.field("dma.num_sge", 28, 4);
    static final int DMA_SGE_OFFSET = STRUCT.field("dma.sge_offset", 32, 4);
    static final int DATA = BYTES;

    private RxeReceiveWqe() {
    }

    /**
     * Writes a WQE.
     *
     * @param from of the first SGE in {@code words}, two longs each
     * @param length of all SGEs together
     */
    static void write(ByteBuffer memory, int at, long wrId, long[] words, int from, int count, long length) {
        memory.putLong(at + WR_ID, wrId);
        memory.putLong(at + WR_ID + 8, 0);
        memory.putLong(at + DMA_LENGTH, length << 32 | length & 0xffffffffL);
        memory.putLong(at + DMA_CUR_SGE, (long) count << 32);
        memory.putLong(at + DMA_SGE_OFFSET, 0);
        for (int i = 0; i < 2 * count; i++) {
            memory.putLong(at + DATA + 8 * i, words[from + i]);
        }
    }
}
