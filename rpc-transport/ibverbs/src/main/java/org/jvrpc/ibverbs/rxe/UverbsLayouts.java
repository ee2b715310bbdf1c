package org.jvrpc.ibverbs.rxe;

import org.jvrpc.ibverbs.binding.Struct;

/**
 * Layouts of the commands that are written to the command file of a device, and of what the kernel answers: of each a
 * class with the offsets of the fields that are used, and the size. Those of QPs that other drivers write, too, are in
 * {@link org.jvrpc.ibverbs.binding.QpCommandLayouts}. {@code RxeLayoutTest} compares them with what the C compiler
 * says. Source: the kernel's ib_user_verbs.h and rdma_user_rxe.h.
 */
final class UverbsLayouts {

    /** {@code IB_USER_VERBS_CMD_…}. */
    static final int CREATE_AH = 5;
    static final int DESTROY_AH = 8;
    static final int CREATE_CQ = 18;
    static final int DESTROY_CQ = 20;
    static final int REQ_NOTIFY_CQ = 23;
    static final int CREATE_QP = 24;
    static final int POST_SEND = 28;
    static final int CREATE_SRQ = 32;
    static final int DESTROY_SRQ = 35;

    private UverbsLayouts() {
    }

    /** {@code struct ib_uverbs_create_cq}. */
    static final class CreateCq {
        static final int BYTES = 32;
        static final Struct STRUCT = Struct.of("struct ib_uverbs_create_cq", "<rdma/ib_user_verbs.h>", BYTES);
        static final int RESPONSE = STRUCT.field("response", 0, 8);
        static final int USER_HANDLE = STRUCT.field("user_handle", 8, 8);
        static final int CQE = STRUCT.field("cqe", 16, 4);
        static final int COMP_VECTOR = STRUCT.field("comp_vector", 20, 4);
        static final int COMP_CHANNEL = STRUCT.field("comp_channel", 24, 4);

        private CreateCq() {
        }
    }

    /** {@code struct ib_uverbs_create_cq_resp}. */
    static final class CreateCqResponse {
        static final int BYTES = 8;
        static final Struct STRUCT = Struct.of("struct ib_uverbs_create_cq_resp", "<rdma/ib_user_verbs.h>", BYTES);
        static final int CQ_HANDLE = STRUCT.field("cq_handle", 0, 4);
        static final int CQE = STRUCT.field("cqe", 4, 4);

        private CreateCqResponse() {
        }
    }

    /** {@code struct ib_uverbs_create_qp}. */
    static final class CreateQp {
        static final int BYTES = 56;
        static final Struct STRUCT = Struct.of("struct ib_uverbs_create_qp", "<rdma/ib_user_verbs.h>", BYTES);
        static final int RESPONSE = STRUCT.field("response", 0, 8);
        static final int USER_HANDLE = STRUCT.field("user_handle", 8, 8);
        static final int PD_HANDLE = STRUCT.field("pd_handle", 16, 4);
        static final int SEND_CQ_HANDLE = STRUCT.field("send_cq_handle", 20, 4);
        static final int RECV_CQ_HANDLE = STRUCT.field("recv_cq_handle", 24, 4);
        static final int SRQ_HANDLE = STRUCT.field("srq_handle", 28, 4);
        static final int MAX_SEND_WR = STRUCT.field("max_send_wr", 32, 4);
        static final int MAX_RECV_WR = STRUCT.field("max_recv_wr", 36, 4);
        static final int MAX_SEND_SGE = STRUCT.field("max_send_sge", 40, 4);
        static final int MAX_RECV_SGE = STRUCT.field("max_recv_sge", 44, 4);
        static final int MAX_INLINE_DATA = STRUCT.field("max_inline_data", 48, 4);
        static final int QP_TYPE = STRUCT.field("qp_type", 53, 1);
        static final int IS_SRQ = STRUCT.field("is_srq", 54, 1);

        private CreateQp() {
        }
    }

    /** {@code struct ib_uverbs_create_qp_resp}. */
    static final class CreateQpResponse {
        static final int BYTES = 32;
        static final Struct STRUCT = Struct.of("struct ib_uverbs_create_qp_resp", "<rdma/ib_user_verbs.h>", BYTES);
        static final int QP_HANDLE = STRUCT.field("qp_handle", 0, 4);
        static final int QPN = STRUCT.field("qpn", 4, 4);
        static final int MAX_SEND_WR = STRUCT.field("max_send_wr", 8, 4);
        static final int MAX_RECV_WR = STRUCT.field("max_recv_wr", 12, 4);
        static final int MAX_SEND_SGE = STRUCT.field("max_send_sge", 16, 4);
        static final int MAX_RECV_SGE = STRUCT.field("max_recv_sge", 20, 4);
        static final int MAX_INLINE_DATA = STRUCT.field("max_inline_data", 24, 4);

        private CreateQpResponse() {
        }
    }

    /** {@code struct ib_uverbs_create_srq}. */
    static final class CreateSrq {
        static final int BYTES = 32;
        static final Struct STRUCT = Struct.of("struct ib_uverbs_create_srq", "<rdma/ib_user_verbs.h>", BYTES);
        static final int RESPONSE = STRUCT.field("response", 0, 8);
        static final int USER_HANDLE = STRUCT.field("user_handle", 8, 8);
        static final int PD_HANDLE = STRUCT.field("pd_handle", 16, 4);
        static final int MAX_WR = STRUCT.field("max_wr", 20, 4);
        static final int MAX_SGE = STRUCT.field("max_sge", 24, 4);
        static final int SRQ_LIMIT = STRUCT.field("srq_limit", 28, 4);

        private CreateSrq() {
        }
    }

    /** {@code struct ib_uverbs_create_srq_resp}. */
    static final class CreateSrqResponse {
        static final int BYTES = 16;
        static final Struct STRUCT = Struct.of("struct ib_uverbs_create_srq_resp", "<rdma/ib_user_verbs.h>", BYTES);
        static final int SRQ_HANDLE = STRUCT.field("srq_handle", 0, 4);
        static final int MAX_WR = STRUCT.field("max_wr", 4, 4);
        static final int MAX_SGE = STRUCT.field("max_sge", 8, 4);

        private CreateSrqResponse() {
        }
    }

    /** {@code struct ib_uverbs_create_ah}. */
    static final class CreateAh {
        static final int BYTES = 56;
        static final Struct STRUCT = Struct.of("struct ib_uverbs_create_ah", "<rdma/ib_user_verbs.h>", BYTES);
        static final int RESPONSE = STRUCT.field("response", 0, 8);
        static final int USER_HANDLE = STRUCT.field("user_handle", 8, 8);
        static final int PD_HANDLE = STRUCT.field("pd_handle", 16, 4);
        static final int ATTR = STRUCT.field("attr", 24, 32);

        private CreateAh() {
        }
    }

    /** {@code struct ib_uverbs_create_ah_resp}. */
    static final class CreateAhResponse {
        static final int BYTES = 4;
        static final Struct STRUCT = Struct.of("struct ib_uverbs_create_ah_resp", "<rdma/ib_user_verbs.h>", BYTES);
        static final int AH_HANDLE = STRUCT.field("ah_handle", 0, 4);

        private CreateAhResponse() {
        }
    }

    /** {@code struct ib_uverbs_destroy_ah}. */
    static final class DestroyAh {
        static final int BYTES = 4;
        static final Struct STRUCT = Struct.of("struct ib_uverbs_destroy_ah", "<rdma/ib_user_verbs.h>", BYTES);
        static final int AH_HANDLE = STRUCT.field("ah_handle", 0, 4);

        private DestroyAh() {
        }
    }

    /** {@code struct ib_uverbs_req_notify_cq}. */
    static final class ReqNotifyCq {
        static final int BYTES = 8;
        static final Struct STRUCT = Struct.of("struct ib_uverbs_req_notify_cq", "<rdma/ib_user_verbs.h>", BYTES);
        static final int CQ_HANDLE = STRUCT.field("cq_handle", 0, 4);
        static final int SOLICITED_ONLY = STRUCT.field("solicited_only", 4, 4);

        private ReqNotifyCq() {
        }
    }

    /** {@code struct ib_uverbs_post_send}. */
    static final class PostSend {
        static final int BYTES = 24;
        static final Struct STRUCT = Struct.of("struct ib_uverbs_post_send", "<rdma/ib_user_verbs.h>", BYTES);
        static final int RESPONSE = STRUCT.field("response", 0, 8);
        static final int QP_HANDLE = STRUCT.field("qp_handle", 8, 4);
        static final int WR_COUNT = STRUCT.field("wr_count", 12, 4);
        static final int SGE_COUNT = STRUCT.field("sge_count", 16, 4);
        static final int WQE_SIZE = STRUCT.field("wqe_size", 20, 4);

        private PostSend() {
        }
    }

    /** {@code struct ib_uverbs_wc}: a CQE, of the layout of {@code struct ibv_wc}. */
    static final class UverbsWc {
        static final int BYTES = 48;
        static final Struct STRUCT = Struct.of("struct ib_uverbs_wc", "<rdma/ib_user_verbs.h>", BYTES);
        static final int WR_ID = STRUCT.field("wr_id", 0, 8);
        static final int STATUS = STRUCT.field("status", 8, 4);
        static final int OPCODE = STRUCT.field("opcode", 12, 4);
        static final int VENDOR_ERR = STRUCT.field("vendor_err", 16, 4);
        static final int BYTE_LEN = STRUCT.field("byte_len", 20, 4);
        static final int IMM_DATA = STRUCT.field("ex.imm_data", 24, 4);
        static final int QP_NUM = STRUCT.field("qp_num", 28, 4);
        static final int SRC_QP = STRUCT.field("src_qp", 32, 4);
        static final int WC_FLAGS = STRUCT.field("wc_flags", 36, 4);

        private UverbsWc() {
        }
    }

    /** {@code struct ib_uverbs_async_event_desc}: what is read of the file of asynchronous events. */
    static final class AsyncEventDesc {
        static final int BYTES = 16;
        static final Struct STRUCT = Struct.of("struct ib_uverbs_async_event_desc", "<rdma/ib_user_verbs.h>", BYTES);
        static final int ELEMENT = STRUCT.field("element", 0, 8);
        static final int EVENT_TYPE = STRUCT.field("event_type", 8, 4);

        private AsyncEventDesc() {
        }
    }

    /** {@code struct rxe_create_cq_resp}. */
    static final class RxeCreateCqResponse {
        static final int BYTES = 16;
        static final Struct STRUCT = Struct.of("struct rxe_create_cq_resp", "<rdma/rdma_user_rxe.h>", BYTES);
        static final int MI = STRUCT.field("mi", 0, 16);

        private RxeCreateCqResponse() {
        }
    }

    /** {@code struct mminfo}: where a ring can be mapped, once. */
    static final class MmapInfo {
        static final int BYTES = 16;
        static final Struct STRUCT = Struct.of("struct mminfo", "<rdma/rdma_user_rxe.h>", BYTES);
        static final int OFFSET = STRUCT.field("offset", 0, 8);
        static final int SIZE = STRUCT.field("size", 8, 4);

        private MmapInfo() {
        }
    }

    /** {@code struct rxe_create_qp_resp}. */
    static final class RxeCreateQpResponse {
        static final int BYTES = 32;
        static final Struct STRUCT = Struct.of("struct rxe_create_qp_resp", "<rdma/rdma_user_rxe.h>", BYTES);
        static final int RQ_MI = STRUCT.field("rq_mi", 0, 16);
        static final int SQ_MI = STRUCT.field("sq_mi", 16, 16);

        private RxeCreateQpResponse() {
        }
    }

    /** {@code struct rxe_create_srq_resp}. */
    static final class RxeCreateSrqResponse {
        static final int BYTES = 24;
        static final Struct STRUCT = Struct.of("struct rxe_create_srq_resp", "<rdma/rdma_user_rxe.h>", BYTES);
        static final int MI = STRUCT.field("mi", 0, 16);
        static final int SRQ_NUM = STRUCT.field("srq_num", 16, 4);

        private RxeCreateSrqResponse() {
        }
    }

    /** {@code struct rxe_create_ah_resp}. */
    static final class RxeCreateAhResponse {
        static final int BYTES = 8;
        static final Struct STRUCT = Struct.of("struct rxe_create_ah_resp", "<rdma/rdma_user_rxe.h>", BYTES);
        static final int AH_NUM = STRUCT.field("ah_num", 0, 4);

        private RxeCreateAhResponse() {
        }
    }
}
