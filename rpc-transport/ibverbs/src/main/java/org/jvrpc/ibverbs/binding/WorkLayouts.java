package org.jvrpc.ibverbs.binding;

/**
 * Layouts of the C structs of the data path and of events, on LP64: of each a class with the offsets of the
 * fields that are used, and the size. {@code StructProbeTest} compares them with what the C compiler says. Source:
 * rdma-core 44, verbs.h and poll.h.
 */
public final class WorkLayouts {

    private WorkLayouts() {
    }

    /** {@code struct ibv_sge}. */
    public static final class Sge {
        /** Size in bytes. */
        public static final int BYTES = 16;

        static final Struct STRUCT = Struct.of("struct ibv_sge", "<infiniband/verbs.h>", BYTES);

        /** {@code addr}, 8 bytes. */
        public static final int ADDR = STRUCT.field("addr", 0, 8);
        /** {@code length}, 4 bytes. */
        public static final int LENGTH = STRUCT.field("length", 8, 4);
        /** {@code lkey}, 4 bytes. */
        public static final int LKEY = STRUCT.field("lkey", 12, 4);

        private Sge() {
        }
    }

    /** {@code struct ibv_send_wr}. */
    public static final class SendWr {
        /** Size in bytes. */
        public static final int BYTES = 128;

        static final Struct STRUCT = Struct.of("struct ibv_send_wr", "<infiniband/verbs.h>", BYTES);

        /** {@code wr_id}, 8 bytes. */
        public static final int WR_ID = STRUCT.field("wr_id", 0, 8);
        /** {@code next}, 8 bytes. */
        public static final int NEXT = STRUCT.field("next", 8, 8);
        /** {@code sg_list}, 8 bytes. */
        public static final int SG_LIST = STRUCT.field("sg_list", 16, 8);
        /** {@code num_sge}, 4 bytes. */
        public static final int NUM_SGE = STRUCT.field("num_sge", 24, 4);
        /** {@code opcode}, 4 bytes. */
        public static final int OPCODE = STRUCT.field("opcode", 28, 4);
        /** {@code send_flags}, 4 bytes. */
        public static final int SEND_FLAGS = STRUCT.field("send_flags", 32, 4);
        /** {@code imm_data}, 4 bytes. */
        public static final int IMM_DATA = STRUCT.field("imm_data", 36, 4);
        /** {@code wr.rdma.remote_addr}, 8 bytes. */
        public static final int REMOTE_ADDR = STRUCT.field("wr.rdma.remote_addr", 40, 8);
        /** {@code wr.rdma.rkey}, 4 bytes. */
        public static final int RKEY = STRUCT.field("wr.rdma.rkey", 48, 4);
        /** {@code wr.atomic.compare_add}, 8 bytes. */
        public static final int COMPARE_ADD = STRUCT.field("wr.atomic.compare_add", 48, 8);
        /** {@code wr.atomic.swap}, 8 bytes. */
        public static final int SWAP = STRUCT.field("wr.atomic.swap", 56, 8);
        /** {@code wr.atomic.rkey}, 4 bytes. */
        public static final int ATOMIC_RKEY = STRUCT.field("wr.atomic.rkey", 64, 4);
        /** {@code wr.ud.ah}, 8 bytes. */
        public static final int AH = STRUCT.field("wr.ud.ah", 40, 8);
        /** {@code wr.ud.remote_qpn}, 4 bytes. */
        public static final int REMOTE_QPN = STRUCT.field("wr.ud.remote_qpn", 48, 4);
        /** {@code wr.ud.remote_qkey}, 4 bytes. */
        public static final int REMOTE_QKEY = STRUCT.field("wr.ud.remote_qkey", 52, 4);

        private SendWr() {
        }
    }

    /** {@code struct ibv_recv_wr}. */
    public static final class RecvWr {
        /** Size in bytes. */
        public static final int BYTES = 32;

        static final Struct STRUCT = Struct.of("struct ibv_recv_wr", "<infiniband/verbs.h>", BYTES);

        /** {@code wr_id}, 8 bytes. */
        public static final int WR_ID = STRUCT.field("wr_id", 0, 8);
        /** {@code next}, 8 bytes. */
        public static final int NEXT = STRUCT.field("next", 8, 8);
        /** {@code sg_list}, 8 bytes. */
        public static final int SG_LIST = STRUCT.field("sg_list", 16, 8);
        /** {@code num_sge}, 4 bytes. */
        public static final int NUM_SGE = STRUCT.field("num_sge", 24, 4);

        private RecvWr() {
        }
    }

    /** {@code struct ibv_wc}. */
    public static final class Wc {
        /** Size in bytes. */
        public static final int BYTES = 48;

        static final Struct STRUCT = Struct.of("struct ibv_wc", "<infiniband/verbs.h>", BYTES);

        /** {@code wr_id}, 8 bytes. */
        public static final int WR_ID = STRUCT.field("wr_id", 0, 8);
        /** {@code status}, 4 bytes. */
        public static final int STATUS = STRUCT.field("status", 8, 4);
        /** {@code opcode}, 4 bytes. */
        public static final int OPCODE = STRUCT.field("opcode", 12, 4);
        /** {@code vendor_err}, 4 bytes. */
        public static final int VENDOR_ERR = STRUCT.field("vendor_err", 16, 4);
        /** {@code byte_len}, 4 bytes. */
        public static final int BYTE_LEN = STRUCT.field("byte_len", 20, 4);
        /** {@code imm_data}, 4 bytes. */
        public static final int IMM_DATA = STRUCT.field("imm_data", 24, 4);
        /** {@code qp_num}, 4 bytes. */
        public static final int QP_NUM = STRUCT.field("qp_num", 28, 4);
        /** {@code src_qp}, 4 bytes. */
        public static final int SRC_QP = STRUCT.field("src_qp", 32, 4);
        /** {@code wc_flags}, 4 bytes. */
        public static final int WC_FLAGS = STRUCT.field("wc_flags", 36, 4);

        private Wc() {
        }
    }

    /** {@code struct ibv_async_event}. */
    public static final class AsyncEvent {
        /** Size in bytes. */
        public static final int BYTES = 16;

        static final Struct STRUCT = Struct.of("struct ibv_async_event", "<infiniband/verbs.h>", BYTES);

        /** {@code element}, 8 bytes. */
        public static final int ELEMENT = STRUCT.field("element", 0, 8);
        /** {@code event_type}, 4 bytes. */
        public static final int EVENT_TYPE = STRUCT.field("event_type", 8, 4);

        private AsyncEvent() {
        }
    }

    /** {@code struct pollfd}. */
    public static final class PollFd {
        /** Size in bytes. */
        public static final int BYTES = 8;

        static final Struct STRUCT = Struct.of("struct pollfd", "<poll.h>", BYTES);

        /** {@code fd}, 4 bytes. */
        public static final int FD = STRUCT.field("fd", 0, 4);
        /** {@code events}, 2 bytes. */
        public static final int EVENTS = STRUCT.field("events", 4, 2);
        /** {@code revents}, 2 bytes. */
        public static final int REVENTS = STRUCT.field("revents", 6, 2);

        private PollFd() {
        }
    }
}
