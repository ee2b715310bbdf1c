package org.jvrpc.ibverbs.binding;

/**
 * Layouts of the C structs of the control path, on LP64: of each a class with the offsets of the
 * fields that are used, and the size. {@code StructProbeTest} compares them with what the C compiler says. Source:
 * rdma-core 44, verbs.h.
 */
public final class Layouts {

    private Layouts() {
    }

    /** {@code struct ibv_context}. */
    public static final class Context {
        /** Size in bytes. */
        public static final int BYTES = 328;

        static final Struct STRUCT = Struct.of("struct ibv_context", "<infiniband/verbs.h>", BYTES);

        /** {@code device}, 8 bytes. */
        public static final int DEVICE = STRUCT.field("device", 0, 8);
        /** {@code ops.poll_cq}, 8 bytes. */
        public static final int POLL_CQ = STRUCT.field("ops.poll_cq", 96, 8);
        /** {@code ops.req_notify_cq}, 8 bytes. */
        public static final int REQ_NOTIFY_CQ = STRUCT.field("ops.req_notify_cq", 104, 8);
        /** {@code ops.post_srq_recv}, 8 bytes. */
        public static final int POST_SRQ_RECV = STRUCT.field("ops.post_srq_recv", 168, 8);
        /** {@code ops.post_send}, 8 bytes. */
        public static final int POST_SEND = STRUCT.field("ops.post_send", 208, 8);
        /** {@code ops.post_recv}, 8 bytes. */
        public static final int POST_RECV = STRUCT.field("ops.post_recv", 216, 8);
        /** {@code cmd_fd}, 4 bytes. */
        public static final int CMD_FD = STRUCT.field("cmd_fd", 264, 4);
        /** {@code async_fd}, 4 bytes. */
        public static final int ASYNC_FD = STRUCT.field("async_fd", 268, 4);
        /** {@code num_comp_vectors}, 4 bytes. */
        public static final int NUM_COMP_VECTORS = STRUCT.field("num_comp_vectors", 272, 4);

        private Context() {
        }
    }

    /** {@code struct ibv_device_attr}. */
    public static final class DeviceAttr {
        /** Size in bytes. */
        public static final int BYTES = 232;

        static final Struct STRUCT = Struct.of("struct ibv_device_attr", "<infiniband/verbs.h>", BYTES);

        /** {@code fw_ver}, 64 bytes. */
        public static final int FW_VER = STRUCT.field("fw_ver", 0, 64);
        /** {@code max_mr_size}, 8 bytes. */
        public static final int MAX_MR_SIZE = STRUCT.field("max_mr_size", 80, 8);
        /** {@code vendor_id}, 4 bytes. */
        public static final int VENDOR_ID = STRUCT.field("vendor_id", 96, 4);
        /** {@code vendor_part_id}, 4 bytes. */
        public static final int VENDOR_PART_ID = STRUCT.field("vendor_part_id", 100, 4);
        /** {@code max_qp}, 4 bytes. */
        public static final int MAX_QP = STRUCT.field("max_qp", 108, 4);
        /** {@code max_qp_wr}, 4 bytes. */
        public static final int MAX_QP_WR = STRUCT.field("max_qp_wr", 112, 4);
        /** {@code max_sge}, 4 bytes. */
        public static final int MAX_SGE = STRUCT.field("max_sge", 120, 4);
        /** {@code max_cq}, 4 bytes. */
        public static final int MAX_CQ = STRUCT.field("max_cq", 128, 4);
        /** {@code max_cqe}, 4 bytes. */
        public static final int MAX_CQE = STRUCT.field("max_cqe", 132, 4);
        /** {@code max_mr}, 4 bytes. */
        public static final int MAX_MR = STRUCT.field("max_mr", 136, 4);
        /** {@code max_qp_rd_atom}, 4 bytes. */
        public static final int MAX_QP_RD_ATOM = STRUCT.field("max_qp_rd_atom", 144, 4);
        /** {@code max_qp_init_rd_atom}, 4 bytes. */
        public static final int MAX_QP_INIT_RD_ATOM = STRUCT.field("max_qp_init_rd_atom", 156, 4);
        /** {@code atomic_cap}, 4 bytes. */
        public static final int ATOMIC_CAP = STRUCT.field("atomic_cap", 164, 4);
        /** {@code max_ah}, 4 bytes. */
        public static final int MAX_AH = STRUCT.field("max_ah", 200, 4);
        /** {@code max_srq}, 4 bytes. */
        public static final int MAX_SRQ = STRUCT.field("max_srq", 212, 4);
        /** {@code max_srq_wr}, 4 bytes. */
        public static final int MAX_SRQ_WR = STRUCT.field("max_srq_wr", 216, 4);
        /** {@code max_srq_sge}, 4 bytes. */
        public static final int MAX_SRQ_SGE = STRUCT.field("max_srq_sge", 220, 4);
        /** {@code phys_port_cnt}, 1 byte. */
        public static final int PHYS_PORT_CNT = STRUCT.field("phys_port_cnt", 227, 1);

        private DeviceAttr() {
        }
    }

    /** {@code struct ibv_port_attr}. */
    public static final class PortAttr {
        /** Size in bytes. */
        public static final int BYTES = 52;

        static final Struct STRUCT = Struct.of("struct ibv_port_attr", "<infiniband/verbs.h>", BYTES);

        /** {@code state}, 4 bytes. */
        public static final int STATE = STRUCT.field("state", 0, 4);
        /** {@code max_mtu}, 4 bytes. */
        public static final int MAX_MTU = STRUCT.field("max_mtu", 4, 4);
        /** {@code active_mtu}, 4 bytes. */
        public static final int ACTIVE_MTU = STRUCT.field("active_mtu", 8, 4);
        /** {@code gid_tbl_len}, 4 bytes. */
        public static final int GID_TBL_LEN = STRUCT.field("gid_tbl_len", 12, 4);
        /** {@code lid}, 2 bytes. */
        public static final int LID = STRUCT.field("lid", 34, 2);
        /** {@code link_layer}, 1 byte. */
        public static final int LINK_LAYER = STRUCT.field("link_layer", 46, 1);

        private PortAttr() {
        }
    }

    /** {@code struct ibv_pd}. */
    public static final class Pd {
        /** Size in bytes. */
        public static final int BYTES = 16;

        static final Struct STRUCT = Struct.of("struct ibv_pd", "<infiniband/verbs.h>", BYTES);

        /** {@code context}, 8 bytes. */
        public static final int CONTEXT = STRUCT.field("context", 0, 8);
        /** {@code handle}, 4 bytes. */
        public static final int HANDLE = STRUCT.field("handle", 8, 4);

        private Pd() {
        }
    }

    /** {@code struct ibv_mr}. */
    public static final class Mr {
        /** Size in bytes. */
        public static final int BYTES = 48;

        static final Struct STRUCT = Struct.of("struct ibv_mr", "<infiniband/verbs.h>", BYTES);

        /** {@code addr}, 8 bytes. */
        public static final int ADDR = STRUCT.field("addr", 16, 8);
        /** {@code length}, 8 bytes. */
        public static final int LENGTH = STRUCT.field("length", 24, 8);
        /** {@code handle}, 4 bytes. */
        public static final int HANDLE = STRUCT.field("handle", 32, 4);
        /** {@code lkey}, 4 bytes. */
        public static final int LKEY = STRUCT.field("lkey", 36, 4);
        /** {@code rkey}, 4 bytes. */
        public static final int RKEY = STRUCT.field("rkey", 40, 4);

        private Mr() {
        }
    }

    /** {@code struct ibv_comp_channel}. */
    public static final class CompChannel {
        /** Size in bytes. */
        public static final int BYTES = 16;

        static final Struct STRUCT = Struct.of("struct ibv_comp_channel", "<infiniband/verbs.h>", BYTES);

        /** {@code fd}, 4 bytes. */
        public static final int FD = STRUCT.field("fd", 8, 4);

        private CompChannel() {
        }
    }

    /** {@code struct ibv_cq}. */
    public static final class Cq {
        /** Size in bytes. */
        public static final int BYTES = 128;

        static final Struct STRUCT = Struct.of("struct ibv_cq", "<infiniband/verbs.h>", BYTES);

        /** {@code context}, 8 bytes. */
        public static final int CONTEXT = STRUCT.field("context", 0, 8);
        /** {@code handle}, 4 bytes. */
        public static final int HANDLE = STRUCT.field("handle", 24, 4);
        /** {@code cqe}, 4 bytes. */
        public static final int CQE = STRUCT.field("cqe", 28, 4);

        private Cq() {
        }
    }

    /** {@code struct ibv_qp}. */
    public static final class Qp {
        /** Size in bytes. */
        public static final int BYTES = 160;

        static final Struct STRUCT = Struct.of("struct ibv_qp", "<infiniband/verbs.h>", BYTES);

        /** {@code context}, 8 bytes. */
        public static final int CONTEXT = STRUCT.field("context", 0, 8);
        /** {@code handle}, 4 bytes. */
        public static final int HANDLE = STRUCT.field("handle", 48, 4);
        /** {@code qp_num}, 4 bytes. */
        public static final int QP_NUM = STRUCT.field("qp_num", 52, 4);
        /** {@code state}, 4 bytes. */
        public static final int STATE = STRUCT.field("state", 56, 4);

        private Qp() {
        }
    }

    /** {@code struct ibv_srq}. */
    public static final class Srq {
        /** Size in bytes. */
        public static final int BYTES = 128;

        static final Struct STRUCT = Struct.of("struct ibv_srq", "<infiniband/verbs.h>", BYTES);

        /** {@code context}, 8 bytes. */
        public static final int CONTEXT = STRUCT.field("context", 0, 8);
        /** {@code handle}, 4 bytes. */
        public static final int HANDLE = STRUCT.field("handle", 24, 4);

        private Srq() {
        }
    }

    /** {@code struct ibv_ah}. */
    public static final class Ah {
        /** Size in bytes. */
        public static final int BYTES = 24;

        static final Struct STRUCT = Struct.of("struct ibv_ah", "<infiniband/verbs.h>", BYTES);

        /** {@code handle}, 4 bytes. */
        public static final int HANDLE = STRUCT.field("handle", 16, 4);

        private Ah() {
        }
    }

    /** {@code struct ibv_qp_cap}. */
    public static final class QpCap {
        /** Size in bytes. */
        public static final int BYTES = 20;

        static final Struct STRUCT = Struct.of("struct ibv_qp_cap", "<infiniband/verbs.h>", BYTES);

        /** {@code max_send_wr}, 4 bytes. */
        public static final int MAX_SEND_WR = STRUCT.field("max_send_wr", 0, 4);
        /** {@code max_recv_wr}, 4 bytes. */
        public static final int MAX_RECV_WR = STRUCT.field("max_recv_wr", 4, 4);
        /** {@code max_send_sge}, 4 bytes. */
        public static final int MAX_SEND_SGE = STRUCT.field("max_send_sge", 8, 4);
        /** {@code max_recv_sge}, 4 bytes. */
        public static final int MAX_RECV_SGE = STRUCT.field("max_recv_sge", 12, 4);
        /** {@code max_inline_data}, 4 bytes. */
        public static final int MAX_INLINE_DATA = STRUCT.field("max_inline_data", 16, 4);

        private QpCap() {
        }
    }

    /** {@code struct ibv_qp_init_attr}. */
    public static final class QpInitAttr {
        /** Size in bytes. */
        public static final int BYTES = 64;

        static final Struct STRUCT = Struct.of("struct ibv_qp_init_attr", "<infiniband/verbs.h>", BYTES);

        /** {@code qp_context}, 8 bytes. */
        public static final int QP_CONTEXT = STRUCT.field("qp_context", 0, 8);
        /** {@code send_cq}, 8 bytes. */
        public static final int SEND_CQ = STRUCT.field("send_cq", 8, 8);
        /** {@code recv_cq}, 8 bytes. */
        public static final int RECV_CQ = STRUCT.field("recv_cq", 16, 8);
        /** {@code srq}, 8 bytes. */
        public static final int SRQ = STRUCT.field("srq", 24, 8);
        /** {@code cap}, 20 bytes. */
        public static final int CAP = STRUCT.field("cap", 32, 20);
        /** {@code qp_type}, 4 bytes. */
        public static final int QP_TYPE = STRUCT.field("qp_type", 52, 4);
        /** {@code sq_sig_all}, 4 bytes. */
        public static final int SQ_SIG_ALL = STRUCT.field("sq_sig_all", 56, 4);

        private QpInitAttr() {
        }
    }

    /** {@code struct ibv_srq_init_attr}. */
    public static final class SrqInitAttr {
        /** Size in bytes. */
        public static final int BYTES = 24;

        static final Struct STRUCT = Struct.of("struct ibv_srq_init_attr", "<infiniband/verbs.h>", BYTES);

        /** {@code srq_context}, 8 bytes. */
        public static final int SRQ_CONTEXT = STRUCT.field("srq_context", 0, 8);
        /** {@code attr.max_wr}, 4 bytes. */
        public static final int MAX_WR = STRUCT.field("attr.max_wr", 8, 4);
        /** {@code attr.max_sge}, 4 bytes. */
        public static final int MAX_SGE = STRUCT.field("attr.max_sge", 12, 4);
        /** {@code attr.srq_limit}, 4 bytes. */
        public static final int SRQ_LIMIT = STRUCT.field("attr.srq_limit", 16, 4);

        private SrqInitAttr() {
        }
    }

    /** {@code struct ibv_ah_attr}. */
    public static final class AhAttr {
        /** Size in bytes. */
        public static final int BYTES = 32;

        static final Struct STRUCT = Struct.of("struct ibv_ah_attr", "<infiniband/verbs.h>", BYTES);

        /** {@code grh.dgid}, 16 bytes. */
        public static final int DGID = STRUCT.field("grh.dgid", 0, 16);
        /** {@code grh.flow_label}, 4 bytes. */
        public static final int FLOW_LABEL = STRUCT.field("grh.flow_label", 16, 4);
        /** {@code grh.sgid_index}, 1 byte. */
        public static final int SGID_INDEX = STRUCT.field("grh.sgid_index", 20, 1);
        /** {@code grh.hop_limit}, 1 byte. */
        public static final int HOP_LIMIT = STRUCT.field("grh.hop_limit", 21, 1);
        /** {@code grh.traffic_class}, 1 byte. */
        public static final int TRAFFIC_CLASS = STRUCT.field("grh.traffic_class", 22, 1);
        /** {@code dlid}, 2 bytes. */
        public static final int DLID = STRUCT.field("dlid", 24, 2);
        /** {@code sl}, 1 byte. */
        public static final int SL = STRUCT.field("sl", 26, 1);
        /** {@code src_path_bits}, 1 byte. */
        public static final int SRC_PATH_BITS = STRUCT.field("src_path_bits", 27, 1);
        /** {@code static_rate}, 1 byte. */
        public static final int STATIC_RATE = STRUCT.field("static_rate", 28, 1);
        /** {@code is_global}, 1 byte. */
        public static final int IS_GLOBAL = STRUCT.field("is_global", 29, 1);
        /** {@code port_num}, 1 byte. */
        public static final int PORT_NUM = STRUCT.field("port_num", 30, 1);

        private AhAttr() {
        }
    }

    /** {@code struct ibv_qp_attr}. */
    public static final class QpAttr {
        /** Size in bytes. */
        public static final int BYTES = 144;

        static final Struct STRUCT = Struct.of("struct ibv_qp_attr", "<infiniband/verbs.h>", BYTES);

        /** {@code qp_state}, 4 bytes. */
        public static final int QP_STATE = STRUCT.field("qp_state", 0, 4);
        /** {@code cur_qp_state}, 4 bytes. */
        public static final int CUR_QP_STATE = STRUCT.field("cur_qp_state", 4, 4);
        /** {@code path_mtu}, 4 bytes. */
        public static final int PATH_MTU = STRUCT.field("path_mtu", 8, 4);
        /** {@code qkey}, 4 bytes. */
        public static final int QKEY = STRUCT.field("qkey", 16, 4);
        /** {@code rq_psn}, 4 bytes. */
        public static final int RQ_PSN = STRUCT.field("rq_psn", 20, 4);
        /** {@code sq_psn}, 4 bytes. */
        public static final int SQ_PSN = STRUCT.field("sq_psn", 24, 4);
        /** {@code dest_qp_num}, 4 bytes. */
        public static final int DEST_QP_NUM = STRUCT.field("dest_qp_num", 28, 4);
        /** {@code qp_access_flags}, 4 bytes. */
        public static final int QP_ACCESS_FLAGS = STRUCT.field("qp_access_flags", 32, 4);
        /** {@code cap}, 20 bytes. */
        public static final int CAP = STRUCT.field("cap", 36, 20);
        /** {@code ah_attr}, 32 bytes. */
        public static final int AH_ATTR = STRUCT.field("ah_attr", 56, 32);
        /** {@code pkey_index}, 2 bytes. */
        public static final int PKEY_INDEX = STRUCT.field("pkey_index", 120, 2);
        /** {@code max_rd_atomic}, 1 byte. */
        public static final int MAX_RD_ATOMIC = STRUCT.field("max_rd_atomic", 126, 1);
        /** {@code max_dest_rd_atomic}, 1 byte. */
        public static final int MAX_DEST_RD_ATOMIC = STRUCT.field("max_dest_rd_atomic", 127, 1);
        /** {@code min_rnr_timer}, 1 byte. */
        public static final int MIN_RNR_TIMER = STRUCT.field("min_rnr_timer", 128, 1);
        /** {@code port_num}, 1 byte. */
        public static final int PORT_NUM = STRUCT.field("port_num", 129, 1);
        /** {@code timeout}, 1 byte. */
        public static final int TIMEOUT = STRUCT.field("timeout", 130, 1);
        /** {@code retry_cnt}, 1 byte. */
        public static final int RETRY_CNT = STRUCT.field("retry_cnt", 131, 1);
        /** {@code rnr_retry}, 1 byte. */
        public static final int RNR_RETRY = STRUCT.field("rnr_retry", 132, 1);

        private QpAttr() {
        }
    }
}
