package org.jvrpc.ibverbs.binding;

/**
 * Layouts of the C structs of connection management, on LP64: of each a class with the offsets of the
 * fields that are used, and the size. {@code StructProbeTest} compares them with what the C compiler says. Source:
 * rdma-core 44, rdma_cma.h.
 */
public final class CmLayouts {

    private CmLayouts() {
    }

    /** {@code struct rdma_cm_id}. */
    public static final class CmId {
        /** Size in bytes. */
        public static final int BYTES = 416;

        static final Struct STRUCT = Struct.of("struct rdma_cm_id", "<rdma/rdma_cma.h>", BYTES);

        /** {@code verbs}, 8 bytes. */
        public static final int VERBS = STRUCT.field("verbs", 0, 8);
        /** {@code channel}, 8 bytes. */
        public static final int CHANNEL = STRUCT.field("channel", 8, 8);
        /** {@code qp}, 8 bytes. */
        public static final int QP = STRUCT.field("qp", 24, 8);
        /** {@code route.addr.src_addr}, 16 bytes. */
        public static final int SRC_ADDR = STRUCT.field("route.addr.src_addr", 32, 16);
        /** {@code route.addr.dst_addr}, 16 bytes. */
        public static final int DST_ADDR = STRUCT.field("route.addr.dst_addr", 160, 16);
        /** {@code route.addr.addr.ibaddr.dgid}, 16 bytes. */
        public static final int DGID = STRUCT.field("route.addr.addr.ibaddr.dgid", 304, 16);
        /** {@code port_num}, 1 byte. */
        public static final int PORT_NUM = STRUCT.field("port_num", 348, 1);

        private CmId() {
        }
    }

    /** {@code struct rdma_event_channel}. */
    public static final class CmChannel {
        /** Size in bytes. */
        public static final int BYTES = 4;

        static final Struct STRUCT = Struct.of("struct rdma_event_channel", "<rdma/rdma_cma.h>", BYTES);

        /** {@code fd}, 4 bytes. */
        public static final int FD = STRUCT.field("fd", 0, 4);

        private CmChannel() {
        }
    }

    /** {@code struct rdma_cm_event}. */
    public static final class CmEvent {
        /** Size in bytes. */
        public static final int BYTES = 80;

        static final Struct STRUCT = Struct.of("struct rdma_cm_event", "<rdma/rdma_cma.h>", BYTES);

        /** {@code id}, 8 bytes. */
        public static final int ID = STRUCT.field("id", 0, 8);
        /** {@code listen_id}, 8 bytes. */
        public static final int LISTEN_ID = STRUCT.field("listen_id", 8, 8);
        /** {@code event}, 4 bytes. */
        public static final int EVENT = STRUCT.field("event", 16, 4);
        /** {@code status}, 4 bytes. */
        public static final int STATUS = STRUCT.field("status", 20, 4);
        /** {@code param.conn.private_data}, 8 bytes. */
        public static final int PRIVATE_DATA = STRUCT.field("param.conn.private_data", 24, 8);
        /** {@code param.conn.private_data_len}, 1 byte. */
        public static final int PRIVATE_DATA_LEN = STRUCT.field("param.conn.private_data_len", 32, 1);
        /** {@code param.conn.responder_resources}, 1 byte. */
        public static final int RESPONDER_RESOURCES = STRUCT.field("param.conn.responder_resources", 33, 1);
        /** {@code param.conn.initiator_depth}, 1 byte. */
        public static final int INITIATOR_DEPTH = STRUCT.field("param.conn.initiator_depth", 34, 1);
        /** {@code param.conn.qp_num}, 4 bytes. */
        public static final int QP_NUM = STRUCT.field("param.conn.qp_num", 40, 4);

        private CmEvent() {
        }
    }

    /** {@code struct rdma_conn_param}. */
    public static final class ConnParam {
        /** Size in bytes. */
        public static final int BYTES = 24;

        static final Struct STRUCT = Struct.of("struct rdma_conn_param", "<rdma/rdma_cma.h>", BYTES);

        /** {@code private_data}, 8 bytes. */
        public static final int PRIVATE_DATA = STRUCT.field("private_data", 0, 8);
        /** {@code private_data_len}, 1 byte. */
        public static final int PRIVATE_DATA_LEN = STRUCT.field("private_data_len", 8, 1);
        /** {@code responder_resources}, 1 byte. */
        public static final int RESPONDER_RESOURCES = STRUCT.field("responder_resources", 9, 1);
        /** {@code initiator_depth}, 1 byte. */
        public static final int INITIATOR_DEPTH = STRUCT.field("initiator_depth", 10, 1);
        /** {@code flow_control}, 1 byte. */
        public static final int FLOW_CONTROL = STRUCT.field("flow_control", 11, 1);
        /** {@code retry_count}, 1 byte. */
        public static final int RETRY_COUNT = STRUCT.field("retry_count", 12, 1);
        /** {@code rnr_retry_count}, 1 byte. */
        public static final int RNR_RETRY_COUNT = STRUCT.field("rnr_retry_count", 13, 1);
        /** {@code srq}, 1 byte. */
        public static final int SRQ = STRUCT.field("srq", 14, 1);
        /** {@code qp_num}, 4 bytes. */
        public static final int QP_NUM = STRUCT.field("qp_num", 16, 4);

        private ConnParam() {
        }
    }
}
