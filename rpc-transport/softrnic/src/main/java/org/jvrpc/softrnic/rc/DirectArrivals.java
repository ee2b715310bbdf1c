package org.jvrpc.softrnic.rc;

import java.nio.ByteBuffer;
import org.jvrpc.mlx5.Wqe;
import org.jvrpc.softrnic.memory.MemoryRange;
import org.jvrpc.softrnic.memory.Slab;
import org.jvrpc.verbs.Access;
import org.jvrpc.verbs.WcStatus;

/**
 * What {@link Arrivals} does, for bytes that somebody else moves: says where they go, and completes a receive when they
 * are there. What is no one piece of memory has none. One thread.
 */
public final class DirectArrivals {

    private final Responder responder;
    private final Arrivals arrivals;

    public DirectArrivals(Responder responder, Arrivals arrivals) {
        this.responder = responder;
        this.arrivals = arrivals;
    }

    /**
     * Finds where a piece of a SEND or a WRITE goes.
     *
     * @param address of the whole, for WRITEs
     * @param skip bytes that came before
     * @param bytes at least 1
     * @param range set to it; to none where only copies can bring it
     * @return null when there is no receive, or the QP is being connected
     */
    public WcStatus place(int opcode, int rkey, long address, long total, long skip, int bytes, MemoryRange range) {
        range.none();
        if (!responder.isReady()) {
            return responder.isInit() ? null : WcStatus.RETRY_EXC_ERR;
        }
        boolean send = opcode == Wqe.SEND || opcode == Wqe.SEND_IMM;
        boolean last = skip + bytes == total;
        if (send || opcode == Wqe.RDMA_WRITE_IMM && last) {
            int wqe = responder.peekReceive();
            if (wqe < 0) {
                return null;
            }
            if (send) {
                return receive(wqe, total, skip, bytes, range);
            }
        }
        Slab slab = responder.region(rkey, address, total, Access.REMOTE_WRITE);
        if (slab == null) {
            responder.fail();
            return WcStatus.REM_ACCESS_ERR;
        }
        set(range, slab, address + skip, bytes);
        return WcStatus.SUCCESS;
    }

    private static void set(MemoryRange range, Slab slab, long address, int bytes) {
        if (bytes <= Slab.untilWindowEnd(address)) {
            range.set(slab, address);
        }
    }

    /** Looks for the one piece of a receive WQE that has it, each field of which is read once. */
    private WcStatus receive(int wqe, long total, long skip, int bytes, MemoryRange range) {
        if (total > responder.capacity(wqe)) {
            responder.failReceive(WcStatus.LOC_LEN_ERR, 0);
            return WcStatus.REM_INV_REQ_ERR;
        }
        ByteBuffer wqes = responder.memory();
        long before = 0;
        for (int segment = wqe; segment < wqe + responder.stride() && before <= skip; segment += Wqe.SEGMENT) {
            long size = Wqe.byteCount(wqes, segment);
            if (skip - before + bytes <= size) {
                long address = Wqe.dataAddress(wqes, segment) + (skip - before);
                Slab slab = responder.receiveRegion(Wqe.dataLkey(wqes, segment), address, bytes);
                if (slab == null) {
                    responder.failReceive(WcStatus.LOC_PROT_ERR, 0);
                    return WcStatus.REM_OP_ERR;
                }
                set(range, slab, address, bytes);
                return WcStatus.SUCCESS;
            }
            before += size;
        }
        return WcStatus.SUCCESS;
    }

    /** The bytes are there: completes a receive where the opcode and the last piece ask for that. */
    public WcStatus placed(int opcode, int immediate, long total, long skip, int bytes) {
        if (!responder.isReady()) {
            return WcStatus.RETRY_EXC_ERR;
        }
        if (skip + bytes < total || opcode == Wqe.RDMA_WRITE) {
            return WcStatus.SUCCESS;
        }
        if (responder.peekReceive() < 0) {
            responder.fail();
            return WcStatus.REM_OP_ERR;
        }
        return arrivals.completeDirectly(opcode, immediate, (int) total);
    }

    /** Finds what a READ asks for. @return null while the QP is being connected */
    public WcStatus source(int rkey, long address, int bytes, MemoryRange range) {
        range.none();
        if (!responder.isReady()) {
            return responder.isInit() ? null : WcStatus.RETRY_EXC_ERR;
        }
        Slab slab = responder.region(rkey, address, bytes, Access.REMOTE_READ);
        if (slab == null) {
            responder.fail();
            return WcStatus.REM_ACCESS_ERR;
        }
        set(range, slab, address, bytes);
        return WcStatus.SUCCESS;
    }
}
