package org.jvrpc.mlx5;

import org.jvrpc.verbs.WcStatus;

/** Error numbers of CQEs. Source: rdma-core, providers/mlx5/cq.c, mlx5_handle_error_cqe. */
public final class Syndrome {

    private static final int[] NUMBERS = new int[WcStatus.values().length];
    private static final WcStatus[] STATUSES = new WcStatus[256];

    static {
        put(WcStatus.LOC_LEN_ERR, 0x01);
        put(WcStatus.LOC_QP_OP_ERR, 0x02);
        put(WcStatus.LOC_PROT_ERR, 0x04);
        put(WcStatus.WR_FLUSH_ERR, 0x05);
        put(WcStatus.MW_BIND_ERR, 0x06);
        put(WcStatus.BAD_RESP_ERR, 0x10);
        put(WcStatus.LOC_ACCESS_ERR, 0x11);
        put(WcStatus.REM_INV_REQ_ERR, 0x12);
        put(WcStatus.REM_ACCESS_ERR, 0x13);
        put(WcStatus.REM_OP_ERR, 0x14);
        put(WcStatus.RETRY_EXC_ERR, 0x15);
        put(WcStatus.RNR_RETRY_EXC_ERR, 0x16);
        put(WcStatus.REM_ABORT_ERR, 0x22);
    }

    private Syndrome() {
    }

    private static void put(WcStatus status, int number) {
        NUMBERS[status.ordinal()] = number;
        STATUSES[number] = status;
    }

    /** Returns the number of a status, 0 when it has none. */
    public static int of(WcStatus status) {
        return NUMBERS[status.ordinal()];
    }

    /** Returns the status of a number, {@link WcStatus#GENERAL_ERR} when it has none. */
    public static WcStatus status(int number) {
        WcStatus status = STATUSES[number & 0xff];
        return status == null ? WcStatus.GENERAL_ERR : status;
    }
}
