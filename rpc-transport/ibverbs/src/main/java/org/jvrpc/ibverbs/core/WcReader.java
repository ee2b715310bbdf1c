package org.jvrpc.ibverbs.core;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.jvrpc.ibverbs.binding.Ibv;
import org.jvrpc.ibverbs.binding.WorkLayouts.Wc;
import org.jvrpc.verbs.WcOpcode;
import org.jvrpc.verbs.WcStatus;
import org.jvrpc.verbs.WorkCompletion;

/**
 * Reads a {@code struct ibv_wc}, which is what libibverbs fills in and what an rxe CQ holds. Of a failure only the
 * fields that hold are looked at. Source: ibv_poll_cq(3). Allocates nothing.
 */
public final class WcReader {

    private static final int RECV = 128;
    private static final int RECV_RDMA_WITH_IMM = 129;
    /** By {@code enum ibv_wc_status}; null where {@link WcStatus} has no name. */
    private static final WcStatus[] STATUSES = {
        WcStatus.SUCCESS, WcStatus.LOC_LEN_ERR, WcStatus.LOC_QP_OP_ERR, null, WcStatus.LOC_PROT_ERR,
        WcStatus.WR_FLUSH_ERR, WcStatus.MW_BIND_ERR, WcStatus.BAD_RESP_ERR, WcStatus.LOC_ACCESS_ERR,
        WcStatus.REM_INV_REQ_ERR, WcStatus.REM_ACCESS_ERR, WcStatus.REM_OP_ERR, WcStatus.RETRY_EXC_ERR,
        WcStatus.RNR_RETRY_EXC_ERR, null, null, WcStatus.REM_ABORT_ERR
    };

    private WcReader() {
    }

    /**
     * Fills in a completion.
     *
     * @param memory in native byte order
     * @param at offset of the struct
     * @param datagram true when the QP is a UD QP
     * @return true when it tells of a success
     */
    public static boolean read(ByteBuffer memory, int at, boolean datagram, WorkCompletion wc) {
        return read(memory, at, datagram, memory.getLong(at + Wc.WR_ID), wc);
    }

    /** The same, for a driver that keeps the ids of its users elsewhere. */
    public static boolean read(ByteBuffer memory, int at, boolean datagram, long wrId, WorkCompletion wc) {
        int qpn = memory.getInt(at + Wc.QP_NUM);
        int status = memory.getInt(at + Wc.STATUS);
        if (status != 0) {
            wc.fail(wrId, qpn, status(status), memory.getInt(at + Wc.VENDOR_ERR));
            return false;
        }
        int opcode = memory.getInt(at + Wc.OPCODE);
        wc.succeed(wrId, qpn, opcode(opcode), memory.getInt(at + Wc.BYTE_LEN));
        if (opcode >= RECV) {
            if ((memory.getInt(at + Wc.WC_FLAGS) & Ibv.WC_WITH_IMM) != 0) {
                wc.immediate(fromNetwork(memory.getInt(at + Wc.IMM_DATA)));
            }
            if (datagram) {
                wc.datagram(memory.getInt(at + Wc.SRC_QP));
            }
        }
        return true;
    }

    /** Returns the number of the QP that a completion is of. */
    public static int qpNumber(ByteBuffer memory, int at) {
        return memory.getInt(at + Wc.QP_NUM);
    }

    /** Immediate data is big-endian in memory. */
    public static int fromNetwork(int value) {
        return ByteOrder.nativeOrder() == ByteOrder.LITTLE_ENDIAN ? Integer.reverseBytes(value) : value;
    }

    private static WcStatus status(int status) {
        WcStatus known = status > 0 && status < STATUSES.length ? STATUSES[status] : null;
        return known == null ? WcStatus.GENERAL_ERR : known;
    }

    private static WcOpcode opcode(int opcode) {
        return switch (opcode) {
            case 1 -> WcOpcode.RDMA_WRITE;
            case 2 -> WcOpcode.RDMA_READ;
            case 3 -> WcOpcode.COMPARE_SWAP;
            case 4 -> WcOpcode.FETCH_ADD;
            case RECV -> WcOpcode.RECV;
            case RECV_RDMA_WITH_IMM -> WcOpcode.RECV_RDMA_WITH_IMM;
            default -> WcOpcode.SEND;
        };
    }
}
