package org.jvrpc.ibverbs.binding;

/**
 * Layouts of the C structs of direct verbs, on LP64: of each a class with the offsets of the fields that are used, and
 * the size. {@code CardLayoutTest} compares them with what the C compiler says. Source: rdma-core 44, mlx5dv.h.
 */
public final class Mlx5Layouts {

    private Mlx5Layouts() {
    }

    /** {@code struct mlx5dv_obj}. */
    public static final class Obj {
        /** Size in bytes. */
        public static final int BYTES = 112;

        static final Struct STRUCT = Struct.of("struct mlx5dv_obj", "<infiniband/mlx5dv.h>", BYTES);

        /** {@code qp.in}, 8 bytes. */
        public static final int QP_IN = STRUCT.field("qp.in", 0, 8);
        /** {@code qp.out}, 8 bytes. */
        public static final int QP_OUT = STRUCT.field("qp.out", 8, 8);
        /** {@code cq.in}, 8 bytes. */
        public static final int CQ_IN = STRUCT.field("cq.in", 16, 8);
        /** {@code cq.out}, 8 bytes. */
        public static final int CQ_OUT = STRUCT.field("cq.out", 24, 8);
        /** {@code srq.in}, 8 bytes. */
        public static final int SRQ_IN = STRUCT.field("srq.in", 32, 8);
        /** {@code srq.out}, 8 bytes. */
        public static final int SRQ_OUT = STRUCT.field("srq.out", 40, 8);
        /** {@code ah.in}, 8 bytes. */
        public static final int AH_IN = STRUCT.field("ah.in", 80, 8);
        /** {@code ah.out}, 8 bytes. */
        public static final int AH_OUT = STRUCT.field("ah.out", 88, 8);

        private Obj() {
        }
    }

    /** {@code struct mlx5dv_qp}. */
    public static final class Qp {
        /** Size in bytes. */
        public static final int BYTES = 96;

        static final Struct STRUCT = Struct.of("struct mlx5dv_qp", "<infiniband/mlx5dv.h>", BYTES);

        /** {@code dbrec}, 8 bytes. */
        public static final int DBREC = STRUCT.field("dbrec", 0, 8);
        /** {@code sq.buf}, 8 bytes. */
        public static final int SQ_BUF = STRUCT.field("sq.buf", 8, 8);
        /** {@code sq.wqe_cnt}, 4 bytes. */
        public static final int SQ_WQE_CNT = STRUCT.field("sq.wqe_cnt", 16, 4);
        /** {@code sq.stride}, 4 bytes. */
        public static final int SQ_STRIDE = STRUCT.field("sq.stride", 20, 4);
        /** {@code rq.buf}, 8 bytes. */
        public static final int RQ_BUF = STRUCT.field("rq.buf", 24, 8);
        /** {@code rq.wqe_cnt}, 4 bytes. */
        public static final int RQ_WQE_CNT = STRUCT.field("rq.wqe_cnt", 32, 4);
        /** {@code rq.stride}, 4 bytes. */
        public static final int RQ_STRIDE = STRUCT.field("rq.stride", 36, 4);
        /** {@code bf.reg}, 8 bytes. */
        public static final int BF_REG = STRUCT.field("bf.reg", 40, 8);
        /** {@code bf.size}, 4 bytes. */
        public static final int BF_SIZE = STRUCT.field("bf.size", 48, 4);

        private Qp() {
        }
    }

    /** {@code struct mlx5dv_cq}. */
    public static final class Cq {
        /** Size in bytes. */
        public static final int BYTES = 48;

        static final Struct STRUCT = Struct.of("struct mlx5dv_cq", "<infiniband/mlx5dv.h>", BYTES);

        /** {@code buf}, 8 bytes. */
        public static final int BUF = STRUCT.field("buf", 0, 8);
        /** {@code dbrec}, 8 bytes. */
        public static final int DBREC = STRUCT.field("dbrec", 8, 8);
        /** {@code cqe_cnt}, 4 bytes. */
        public static final int CQE_CNT = STRUCT.field("cqe_cnt", 16, 4);
        /** {@code cqe_size}, 4 bytes. */
        public static final int CQE_SIZE = STRUCT.field("cqe_size", 20, 4);
        /** {@code cq_uar}, 8 bytes. */
        public static final int CQ_UAR = STRUCT.field("cq_uar", 24, 8);
        /** {@code cqn}, 4 bytes. */
        public static final int CQN = STRUCT.field("cqn", 32, 4);

        private Cq() {
        }
    }

    /** {@code struct mlx5dv_srq}. */
    public static final class Srq {
        /** Size in bytes. */
        public static final int BYTES = 48;

        static final Struct STRUCT = Struct.of("struct mlx5dv_srq", "<infiniband/mlx5dv.h>", BYTES);

        /** {@code buf}, 8 bytes. */
        public static final int BUF = STRUCT.field("buf", 0, 8);
        /** {@code dbrec}, 8 bytes. */
        public static final int DBREC = STRUCT.field("dbrec", 8, 8);
        /** {@code stride}, 4 bytes. */
        public static final int STRIDE = STRUCT.field("stride", 16, 4);
        /** {@code head}, 4 bytes. */
        public static final int HEAD = STRUCT.field("head", 20, 4);
        /** {@code tail}, 4 bytes. */
        public static final int TAIL = STRUCT.field("tail", 24, 4);
        /** {@code comp_mask}, 8 bytes. */
        public static final int COMP_MASK = STRUCT.field("comp_mask", 32, 8);
        /** {@code srqn}, 4 bytes. */
        public static final int SRQN = STRUCT.field("srqn", 40, 4);

        private Srq() {
        }
    }

    /** {@code struct mlx5dv_ah}. */
    public static final class Ah {
        /** Size in bytes. */
        public static final int BYTES = 16;

        static final Struct STRUCT = Struct.of("struct mlx5dv_ah", "<infiniband/mlx5dv.h>", BYTES);

        /** {@code av}, 8 bytes. */
        public static final int AV = STRUCT.field("av", 0, 8);

        private Ah() {
        }
    }

    /** {@code struct mlx5dv_devx_uar}. */
    public static final class Uar {
        /** Size in bytes. */
        public static final int BYTES = 40;

        static final Struct STRUCT = Struct.of("struct mlx5dv_devx_uar", "<infiniband/mlx5dv.h>", BYTES);

        /** {@code reg_addr}, 8 bytes. */
        public static final int REG_ADDR = STRUCT.field("reg_addr", 0, 8);
        /** {@code base_addr}, 8 bytes. */
        public static final int BASE_ADDR = STRUCT.field("base_addr", 8, 8);
        /** {@code page_id}, 4 bytes. */
        public static final int PAGE_ID = STRUCT.field("page_id", 16, 4);

        private Uar() {
        }
    }

    /** {@code struct mlx5dv_cq_init_attr}. */
    public static final class CqInitAttr {
        /** Size in bytes. */
        public static final int BYTES = 24;

        static final Struct STRUCT = Struct.of("struct mlx5dv_cq_init_attr", "<infiniband/mlx5dv.h>", BYTES);

        /** {@code comp_mask}, 8 bytes. */
        public static final int COMP_MASK = STRUCT.field("comp_mask", 0, 8);
        /** {@code cqe_size}, 2 bytes. */
        public static final int CQE_SIZE = STRUCT.field("cqe_size", 16, 2);

        private CqInitAttr() {
        }
    }

    /** {@code struct ibv_cq_init_attr_ex}. */
    public static final class CqInitAttrEx {
        /** Size in bytes. */
        public static final int BYTES = 56;

        static final Struct STRUCT = Struct.of("struct ibv_cq_init_attr_ex", "<infiniband/verbs.h>", BYTES);

        /** {@code cqe}, 4 bytes. */
        public static final int CQE = STRUCT.field("cqe", 0, 4);
        /** {@code cq_context}, 8 bytes. */
        public static final int CQ_CONTEXT = STRUCT.field("cq_context", 8, 8);
        /** {@code channel}, 8 bytes. */
        public static final int CHANNEL = STRUCT.field("channel", 16, 8);
        /** {@code comp_vector}, 4 bytes. */
        public static final int COMP_VECTOR = STRUCT.field("comp_vector", 24, 4);
        /** {@code comp_mask}, 4 bytes. */
        public static final int COMP_MASK = STRUCT.field("comp_mask", 40, 4);
        /** {@code flags}, 4 bytes. */
        public static final int FLAGS = STRUCT.field("flags", 44, 4);

        private CqInitAttrEx() {
        }
    }
}
