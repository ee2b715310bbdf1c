package org.jvrpc.ibverbs.binding;

/** Numbers of libibverbs, librdmacm and the kernel that are used. Source: rdma-core 44, verbs.h and rdma_cma.h. */
public final class Ibv {

    /** {@code IBV_QPT_RC}. */
    public static final int QPT_RC = 2;
    /** {@code IBV_QPT_UD}. */
    public static final int QPT_UD = 4;

    /** {@code IBV_QPS_RESET}. */
    public static final int QPS_RESET = 0;
    /** {@code IBV_QPS_INIT}. */
    public static final int QPS_INIT = 1;
    /** {@code IBV_QPS_RTR}. */
    public static final int QPS_RTR = 2;
    /** {@code IBV_QPS_RTS}. */
    public static final int QPS_RTS = 3;
    /** {@code IBV_QPS_ERR}. */
    public static final int QPS_ERR = 6;

    /** Bits of a modify_qp mask. */
    public static final int QP_STATE = 1;
    /** See {@link #QP_STATE}. */
    public static final int QP_ACCESS_FLAGS = 1 << 3;
    /** See {@link #QP_STATE}. */
    public static final int QP_PKEY_INDEX = 1 << 4;
    /** See {@link #QP_STATE}. */
    public static final int QP_PORT = 1 << 5;
    /** See {@link #QP_STATE}. */
    public static final int QP_QKEY = 1 << 6;
    /** See {@link #QP_STATE}. */
    public static final int QP_AV = 1 << 7;
    /** See {@link #QP_STATE}. */
    public static final int QP_PATH_MTU = 1 << 8;
    /** See {@link #QP_STATE}. */
    public static final int QP_TIMEOUT = 1 << 9;
    /** See {@link #QP_STATE}. */
    public static final int QP_RETRY_CNT = 1 << 10;
    /** See {@link #QP_STATE}. */
    public static final int QP_RNR_RETRY = 1 << 11;
    /** See {@link #QP_STATE}. */
    public static final int QP_RQ_PSN = 1 << 12;
    /** See {@link #QP_STATE}. */
    public static final int QP_MAX_QP_RD_ATOMIC = 1 << 13;
    /** See {@link #QP_STATE}. */
    public static final int QP_MIN_RNR_TIMER = 1 << 15;
    /** See {@link #QP_STATE}. */
    public static final int QP_SQ_PSN = 1 << 16;
    /** See {@link #QP_STATE}. */
    public static final int QP_MAX_DEST_RD_ATOMIC = 1 << 17;
    /** See {@link #QP_STATE}. */
    public static final int QP_DEST_QPN = 1 << 20;

    /** {@code IBV_PORT_ACTIVE}. */
    public static final int PORT_ACTIVE = 4;
    /** {@code IBV_LINK_LAYER_ETHERNET}. */
    public static final int LINK_LAYER_ETHERNET = 2;

    /** Opcodes of {@code ibv_wr_opcode}. */
    public static final int WR_RDMA_WRITE = 0;
    /** See {@link #WR_RDMA_WRITE}. */
    public static final int WR_RDMA_WRITE_WITH_IMM = 1;
    /** See {@link #WR_RDMA_WRITE}. */
    public static final int WR_SEND = 2;
    /** See {@link #WR_RDMA_WRITE}. */
    public static final int WR_SEND_WITH_IMM = 3;
    /** See {@link #WR_RDMA_WRITE}. */
    public static final int WR_RDMA_READ = 4;
    /** See {@link #WR_RDMA_WRITE}. */
    public static final int WR_ATOMIC_CMP_AND_SWP = 5;
    /** See {@link #WR_RDMA_WRITE}. */
    public static final int WR_ATOMIC_FETCH_AND_ADD = 6;

    /** Flags of {@code ibv_send_flags}. */
    public static final int SEND_FENCE = 1;
    /** See {@link #SEND_FENCE}. */
    public static final int SEND_SIGNALED = 2;
    /** See {@link #SEND_FENCE}. */
    public static final int SEND_SOLICITED = 4;
    /** See {@link #SEND_FENCE}. */
    public static final int SEND_INLINE = 8;

    /** Events of the device, {@code ibv_event_type}. */
    public static final int EVENT_CQ_ERR = 0;
    /** See {@link #EVENT_CQ_ERR}. */
    public static final int EVENT_QP_FATAL = 1;
    /** See {@link #EVENT_CQ_ERR}. */
    public static final int EVENT_QP_REQ_ERR = 2;
    /** See {@link #EVENT_CQ_ERR}. */
    public static final int EVENT_QP_ACCESS_ERR = 3;
    /** See {@link #EVENT_CQ_ERR}. */
    public static final int EVENT_DEVICE_FATAL = 8;

    /** {@code IBV_WC_WITH_IMM}. */
    public static final int WC_WITH_IMM = 2;
    /** {@code IBV_WC_GRH}. */
    public static final int WC_GRH = 1;

    private Ibv() {
    }
}
