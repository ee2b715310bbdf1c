package org.jvrpc.ibverbs.binding;

/**
 * Layouts of the kernel's commands that make and change a QP without libibverbs, and of the part of them that is the
 * mlx5 driver's: of each a class with the offsets of the fields that are used, and the size. {@code CardLayoutTest}
 * compares them with what the C compiler says. Source: the kernel's ib_user_verbs.h and mlx5-abi.h.
 */
public final class QpCommandLayouts {

    /** Number of the command that makes a QP; with {@link #IB_USER_VERBS_CMD_FLAG_EXTENDED}. */
    public static final int IB_USER_VERBS_EX_CMD_CREATE_QP = 24;
    /** Number of a command. */
    public static final int IB_USER_VERBS_CMD_QUERY_QP = 25;
    /** Number of a command. */
    public static final int IB_USER_VERBS_CMD_MODIFY_QP = 26;
    /** Number of a command. */
    public static final int IB_USER_VERBS_CMD_DESTROY_QP = 27;
    /** Marks a command as extended. */
    public static final long IB_USER_VERBS_CMD_FLAG_EXTENDED = 0x80000000L;
    /** A flag of the mlx5 part: bfreg_index is the number of a page of doorbells. */
    public static final int MLX5_QP_FLAG_UAR_PAGE_INDEX = 1 << 10;

    private QpCommandLayouts() {
    }

    /** {@code struct ib_uverbs_cmd_hdr}. */
    public static final class Header {
        /** Size in bytes. */
        public static final int BYTES = 8;

        static final Struct STRUCT = Struct.of("struct ib_uverbs_cmd_hdr", "<rdma/ib_user_verbs.h>", BYTES);

        /** {@code command}, 4 bytes. */
        public static final int COMMAND = STRUCT.field("command", 0, 4);
        /** {@code in_words}, 2 bytes. */
        public static final int IN_WORDS = STRUCT.field("in_words", 4, 2);
        /** {@code out_words}, 2 bytes. */
        public static final int OUT_WORDS = STRUCT.field("out_words", 6, 2);

        private Header() {
        }
    }

    /** {@code struct ib_uverbs_ex_cmd_hdr}. */
    public static final class ExHeader {
        /** Size in bytes. */
        public static final int BYTES = 16;

        static final Struct STRUCT = Struct.of("struct ib_uverbs_ex_cmd_hdr", "<rdma/ib_user_verbs.h>", BYTES);

        /** {@code response}, 8 bytes. */
        public static final int RESPONSE = STRUCT.field("response", 0, 8);
        /** {@code provider_in_words}, 2 bytes. */
        public static final int PROVIDER_IN_WORDS = STRUCT.field("provider_in_words", 8, 2);
        /** {@code provider_out_words}, 2 bytes. */
        public static final int PROVIDER_OUT_WORDS = STRUCT.field("provider_out_words", 10, 2);

        private ExHeader() {
        }
    }

    /** {@code struct ib_uverbs_ex_create_qp}. */
    public static final class CreateQp {
        /** Size in bytes. */
        public static final int BYTES = 64;

        static final Struct STRUCT = Struct.of("struct ib_uverbs_ex_create_qp", "<rdma/ib_user_verbs.h>", BYTES);

        /** {@code user_handle}, 8 bytes. */
        public static final int USER_HANDLE = STRUCT.field("user_handle", 0, 8);
        /** {@code pd_handle}, 4 bytes. */
        public static final int PD_HANDLE = STRUCT.field("pd_handle", 8, 4);
        /** {@code send_cq_handle}, 4 bytes. */
        public static final int SEND_CQ_HANDLE = STRUCT.field("send_cq_handle", 12, 4);
        /** {@code recv_cq_handle}, 4 bytes. */
        public static final int RECV_CQ_HANDLE = STRUCT.field("recv_cq_handle", 16, 4);
        /** {@code srq_handle}, 4 bytes. */
        public static final int SRQ_HANDLE = STRUCT.field("srq_handle", 20, 4);
        /** {@code max_send_wr}, 4 bytes. */
        public static final int MAX_SEND_WR = STRUCT.field("max_send_wr", 24, 4);
        /** {@code max_recv_wr}, 4 bytes. */
        public static final int MAX_RECV_WR = STRUCT.field("max_recv_wr", 28, 4);
        /** {@code max_send_sge}, 4 bytes. */
        public static final int MAX_SEND_SGE = STRUCT.field("max_send_sge", 32, 4);
        /** {@code max_recv_sge}, 4 bytes. */
        public static final int MAX_RECV_SGE = STRUCT.field("max_recv_sge", 36, 4);
        /** {@code max_inline_data}, 4 bytes. */
        public static final int MAX_INLINE_DATA = STRUCT.field("max_inline_data", 40, 4);
        /** {@code sq_sig_all}, 1 byte. */
        public static final int SQ_SIG_ALL = STRUCT.field("sq_sig_all", 44, 1);
        /** {@code qp_type}, 1 byte. */
        public static final int QP_TYPE = STRUCT.field("qp_type", 45, 1);
        /** {@code is_srq}, 1 byte. */
        public static final int IS_SRQ = STRUCT.field("is_srq", 46, 1);
        /** {@code comp_mask}, 4 bytes. */
        public static final int COMP_MASK = STRUCT.field("comp_mask", 48, 4);
        /** {@code create_flags}, 4 bytes. */
        public static final int CREATE_FLAGS = STRUCT.field("create_flags", 52, 4);

        private CreateQp() {
        }
    }

    /** {@code struct ib_uverbs_ex_create_qp_resp}. */
    public static final class CreateQpResponse {
        /** Size in bytes. */
        public static final int BYTES = 40;

        static final Struct STRUCT = Struct.of("struct ib_uverbs_ex_create_qp_resp", "<rdma/ib_user_verbs.h>", BYTES);

        /** {@code base.qp_handle}, 4 bytes. */
        public static final int BASE_QP_HANDLE = STRUCT.field("base.qp_handle", 0, 4);
        /** {@code base.qpn}, 4 bytes. */
        public static final int BASE_QPN = STRUCT.field("base.qpn", 4, 4);
        /** {@code base.max_inline_data}, 4 bytes. */
        public static final int BASE_MAX_INLINE_DATA = STRUCT.field("base.max_inline_data", 24, 4);
        /** {@code comp_mask}, 4 bytes. */
        public static final int COMP_MASK = STRUCT.field("comp_mask", 32, 4);
        /** {@code response_length}, 4 bytes. */
        public static final int RESPONSE_LENGTH = STRUCT.field("response_length", 36, 4);

        private CreateQpResponse() {
        }
    }

    /** {@code struct mlx5_ib_create_qp}. */
    public static final class Mlx5CreateQp {
        /** Size in bytes. */
        public static final int BYTES = 56;

        static final Struct STRUCT = Struct.of("struct mlx5_ib_create_qp", "<rdma/mlx5-abi.h>", BYTES);

        /** {@code buf_addr}, 8 bytes. */
        public static final int BUF_ADDR = STRUCT.field("buf_addr", 0, 8);
        /** {@code db_addr}, 8 bytes. */
        public static final int DB_ADDR = STRUCT.field("db_addr", 8, 8);
        /** {@code sq_wqe_count}, 4 bytes. */
        public static final int SQ_WQE_COUNT = STRUCT.field("sq_wqe_count", 16, 4);
        /** {@code rq_wqe_count}, 4 bytes. */
        public static final int RQ_WQE_COUNT = STRUCT.field("rq_wqe_count", 20, 4);
        /** {@code rq_wqe_shift}, 4 bytes. */
        public static final int RQ_WQE_SHIFT = STRUCT.field("rq_wqe_shift", 24, 4);
        /** {@code flags}, 4 bytes. */
        public static final int FLAGS = STRUCT.field("flags", 28, 4);
        /** {@code uidx}, 4 bytes. */
        public static final int UIDX = STRUCT.field("uidx", 32, 4);
        /** {@code bfreg_index}, 4 bytes. */
        public static final int BFREG_INDEX = STRUCT.field("bfreg_index", 36, 4);
        /** {@code sq_buf_addr}, 8 bytes. */
        public static final int SQ_BUF_ADDR = STRUCT.field("sq_buf_addr", 40, 8);
        /** {@code ece_options}, 4 bytes. */
        public static final int ECE_OPTIONS = STRUCT.field("ece_options", 48, 4);

        private Mlx5CreateQp() {
        }
    }

    /** {@code struct mlx5_ib_create_qp_resp}. */
    public static final class Mlx5CreateQpResponse {
        /** Size in bytes. */
        public static final int BYTES = 40;

        static final Struct STRUCT = Struct.of("struct mlx5_ib_create_qp_resp", "<rdma/mlx5-abi.h>", BYTES);

        /** {@code bfreg_index}, 4 bytes. */
        public static final int BFREG_INDEX = STRUCT.field("bfreg_index", 0, 4);

        private Mlx5CreateQpResponse() {
        }
    }

    /** {@code struct ib_uverbs_modify_qp}. */
    public static final class ModifyQp {
        /** Size in bytes. */
        public static final int BYTES = 112;

        static final Struct STRUCT = Struct.of("struct ib_uverbs_modify_qp", "<rdma/ib_user_verbs.h>", BYTES);

        /** {@code dest.dgid}, 16 bytes. */
        public static final int DGID = STRUCT.field("dest.dgid", 0, 16);
        /** {@code dest.dgid}, 16 bytes. */
        public static final int DEST_DGID = STRUCT.field("dest.dgid", 0, 16);
        /** {@code dest.flow_label}, 4 bytes. */
        public static final int FLOW_LABEL = STRUCT.field("dest.flow_label", 16, 4);
        /** {@code dest.flow_label}, 4 bytes. */
        public static final int DEST_FLOW_LABEL = STRUCT.field("dest.flow_label", 16, 4);
        /** {@code dest.dlid}, 2 bytes. */
        public static final int DLID = STRUCT.field("dest.dlid", 20, 2);
        /** {@code dest.dlid}, 2 bytes. */
        public static final int DEST_DLID = STRUCT.field("dest.dlid", 20, 2);
        /** {@code dest.sgid_index}, 1 byte. */
        public static final int SGID_INDEX = STRUCT.field("dest.sgid_index", 24, 1);
        /** {@code dest.sgid_index}, 1 byte. */
        public static final int DEST_SGID_INDEX = STRUCT.field("dest.sgid_index", 24, 1);
        /** {@code dest.hop_limit}, 1 byte. */
        public static final int HOP_LIMIT = STRUCT.field("dest.hop_limit", 25, 1);
        /** {@code dest.hop_limit}, 1 byte. */
        public static final int DEST_HOP_LIMIT = STRUCT.field("dest.hop_limit", 25, 1);
        /** {@code dest.traffic_class}, 1 byte. */
        public static final int TRAFFIC_CLASS = STRUCT.field("dest.traffic_class", 26, 1);
        /** {@code dest.traffic_class}, 1 byte. */
        public static final int DEST_TRAFFIC_CLASS = STRUCT.field("dest.traffic_class", 26, 1);
        /** {@code dest.sl}, 1 byte. */
        public static final int SL = STRUCT.field("dest.sl", 27, 1);
        /** {@code dest.sl}, 1 byte. */
        public static final int DEST_SL = STRUCT.field("dest.sl", 27, 1);
        /** {@code dest.src_path_bits}, 1 byte. */
        public static final int SRC_PATH_BITS = STRUCT.field("dest.src_path_bits", 28, 1);
        /** {@code dest.src_path_bits}, 1 byte. */
        public static final int DEST_SRC_PATH_BITS = STRUCT.field("dest.src_path_bits", 28, 1);
        /** {@code dest.static_rate}, 1 byte. */
        public static final int STATIC_RATE = STRUCT.field("dest.static_rate", 29, 1);
        /** {@code dest.static_rate}, 1 byte. */
        public static final int DEST_STATIC_RATE = STRUCT.field("dest.static_rate", 29, 1);
        /** {@code dest.is_global}, 1 byte. */
        public static final int IS_GLOBAL = STRUCT.field("dest.is_global", 30, 1);
        /** {@code dest.is_global}, 1 byte. */
        public static final int DEST_IS_GLOBAL = STRUCT.field("dest.is_global", 30, 1);
        /** {@code dest.port_num}, 1 byte. */
        public static final int DEST_PORT_NUM = STRUCT.field("dest.port_num", 31, 1);
        /** {@code qp_handle}, 4 bytes. */
        public static final int QP_HANDLE = STRUCT.field("qp_handle", 64, 4);
        /** {@code attr_mask}, 4 bytes. */
        public static final int ATTR_MASK = STRUCT.field("attr_mask", 68, 4);
        /** {@code qkey}, 4 bytes. */
        public static final int QKEY = STRUCT.field("qkey", 72, 4);
        /** {@code rq_psn}, 4 bytes. */
        public static final int RQ_PSN = STRUCT.field("rq_psn", 76, 4);
        /** {@code sq_psn}, 4 bytes. */
        public static final int SQ_PSN = STRUCT.field("sq_psn", 80, 4);
        /** {@code dest_qp_num}, 4 bytes. */
        public static final int DEST_QP_NUM = STRUCT.field("dest_qp_num", 84, 4);
        /** {@code qp_access_flags}, 4 bytes. */
        public static final int QP_ACCESS_FLAGS = STRUCT.field("qp_access_flags", 88, 4);
        /** {@code pkey_index}, 2 bytes. */
        public static final int PKEY_INDEX = STRUCT.field("pkey_index", 92, 2);
        /** {@code qp_state}, 1 byte. */
        public static final int QP_STATE = STRUCT.field("qp_state", 96, 1);
        /** {@code path_mtu}, 1 byte. */
        public static final int PATH_MTU = STRUCT.field("path_mtu", 98, 1);
        /** {@code max_rd_atomic}, 1 byte. */
        public static final int MAX_RD_ATOMIC = STRUCT.field("max_rd_atomic", 101, 1);
        /** {@code max_dest_rd_atomic}, 1 byte. */
        public static final int MAX_DEST_RD_ATOMIC = STRUCT.field("max_dest_rd_atomic", 102, 1);
        /** {@code min_rnr_timer}, 1 byte. */
        public static final int MIN_RNR_TIMER = STRUCT.field("min_rnr_timer", 103, 1);
        /** {@code port_num}, 1 byte. */
        public static final int PORT_NUM = STRUCT.field("port_num", 104, 1);
        /** {@code timeout}, 1 byte. */
        public static final int TIMEOUT = STRUCT.field("timeout", 105, 1);
        /** {@code retry_cnt}, 1 byte. */
        public static final int RETRY_CNT = STRUCT.field("retry_cnt", 106, 1);
        /** {@code rnr_retry}, 1 byte. */
        public static final int RNR_RETRY = STRUCT.field("rnr_retry", 107, 1);

        private ModifyQp() {
        }
    }

    /** {@code struct ib_uverbs_query_qp}. */
    public static final class QueryQp {
        /** Size in bytes. */
        public static final int BYTES = 16;

        static final Struct STRUCT = Struct.of("struct ib_uverbs_query_qp", "<rdma/ib_user_verbs.h>", BYTES);

        /** {@code response}, 8 bytes. */
        public static final int RESPONSE = STRUCT.field("response", 0, 8);
        /** {@code qp_handle}, 4 bytes. */
        public static final int QP_HANDLE = STRUCT.field("qp_handle", 8, 4);
        /** {@code attr_mask}, 4 bytes. */
        public static final int ATTR_MASK = STRUCT.field("attr_mask", 12, 4);

        private QueryQp() {
        }
    }

    /** {@code struct ib_uverbs_query_qp_resp}. */
    public static final class QueryQpResponse {
        /** Size in bytes. */
        public static final int BYTES = 128;

        static final Struct STRUCT = Struct.of("struct ib_uverbs_query_qp_resp", "<rdma/ib_user_verbs.h>", BYTES);

        /** {@code qp_state}, 1 byte. */
        public static final int QP_STATE = STRUCT.field("qp_state", 108, 1);

        private QueryQpResponse() {
        }
    }

    /** {@code struct ib_uverbs_destroy_qp}. */
    public static final class DestroyQp {
        /** Size in bytes. */
        public static final int BYTES = 16;

        static final Struct STRUCT = Struct.of("struct ib_uverbs_destroy_qp", "<rdma/ib_user_verbs.h>", BYTES);

        /** {@code response}, 8 bytes. */
        public static final int RESPONSE = STRUCT.field("response", 0, 8);
        /** {@code qp_handle}, 4 bytes. */
        public static final int QP_HANDLE = STRUCT.field("qp_handle", 8, 4);

        private DestroyQp() {
        }
    }

    /** {@code struct ib_uverbs_destroy_qp_resp}. */
    public static final class DestroyQpResponse {
        /** Size in bytes. */
        public static final int BYTES = 4;

        static final Struct STRUCT = Struct.of("struct ib_uverbs_destroy_qp_resp", "<rdma/ib_user_verbs.h>", BYTES);

        /** {@code events_reported}, 4 bytes. */
        public static final int EVENTS_REPORTED = STRUCT.field("events_reported", 0, 4);

        private DestroyQpResponse() {
        }
    }
}
