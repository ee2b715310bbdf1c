package org.jvrpc.ibverbs.card;

import java.lang.ref.Reference;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.jvrpc.ibverbs.binding.LibMlx5;
import org.jvrpc.ibverbs.binding.Mlx5Layouts.Ah;
import org.jvrpc.ibverbs.binding.Mlx5Layouts.Cq;
import org.jvrpc.ibverbs.binding.Mlx5Layouts.CqInitAttr;
import org.jvrpc.ibverbs.binding.Mlx5Layouts.CqInitAttrEx;
import org.jvrpc.ibverbs.binding.Mlx5Layouts.Obj;
import org.jvrpc.ibverbs.binding.Mlx5Layouts.Qp;
import org.jvrpc.ibverbs.binding.Mlx5Layouts.Srq;
import org.jvrpc.ibverbs.binding.Mlx5Layouts.Uar;
import org.jvrpc.ibverbs.binding.Native;
import org.jvrpc.ibverbs.core.NativeException;
import org.jvrpc.mlx5.AddressVector;
import org.jvrpc.mlx5.QueueMemory;
import org.jvrpc.verbs.VerbsException;

/** Direct verbs: where the queues of libibverbs' objects lie. Source: mlx5dv_init_obj(3). Any thread. */
final class DirectVerbs {

    private static final int RECORD_BYTES = 8;
    private static final int FLAGS_MASK = 1; // IBV_CQ_INIT_ATTR_MASK_FLAGS
    private static final int IGNORE_OVERRUN = 1 << 1; // IBV_CREATE_CQ_ATTR_IGNORE_OVERRUN

    private final LibMlx5 lib;

    /** The rings of a QP; {@code receives} is null with an SRQ. */
    record QpRings(QueueMemory sends, QueueMemory receives, long register, int registerBytes) {
    }

    /** The ring of a CQ, its number, and the address of the page where it is armed. */
    record CqRing(QueueMemory queue, int number, long page) {
    }

    /** The ring of an SRQ and its number. */
    record SrqRing(QueueMemory queue, int number) {
    }

    /** A page of doorbells: its number, by which a QP names it; its address; the address of its struct. */
    record Page(int number, long register, long handle) {
    }

    DirectVerbs(LibMlx5 lib) {
        this.lib = lib;
    }

    private void init(int in, long object, int out, Native result, int type, String what) {
        Native obj = Native.allocate(Obj.BYTES).putLong(in, object).putLong(out, result.address());
        int error = lib.mlx5dv_init_obj(obj.address(), type);
        Reference.reachabilityFence(obj);
        Reference.reachabilityFence(result);
        if (error != 0) {
            throw NativeException.of("mlx5dv_init_obj", error, what);
        }
    }

    private static QueueMemory queue(String what, long ring, int entries, int stride, long record) {
        if (ring == 0 || record == 0 || entries < 1 || Integer.bitCount(entries) != 1 || stride < 16
                || Integer.bitCount(stride) != 1 || (long) entries * stride > 1 << 30) {
            throw new VerbsException("mlx5dv_init_obj", what + " makes no sense: address=0x" + Long.toHexString(ring)
                    + " entries=" + entries + " stride=" + stride + " record=0x" + Long.toHexString(record));
        }
        return new QueueMemory(Native.view(ring, entries * stride), 0, entries, stride,
                Native.view(record, RECORD_BYTES), 0);
    }

    /** Returns where a QP's rings are. */
    QpRings qp(long qp, boolean receives) {
        Native out = Native.allocate(Qp.BYTES);
        init(Obj.QP_IN, qp, Obj.QP_OUT, out, LibMlx5.MLX5DV_OBJ_QP, "QP");
        long record = out.getLong(Qp.DBREC);
        return new QpRings(
                queue("send queue", out.getLong(Qp.SQ_BUF), out.getInt(Qp.SQ_WQE_CNT), out.getInt(Qp.SQ_STRIDE),
                        record),
                receives ? queue("receive queue", out.getLong(Qp.RQ_BUF), out.getInt(Qp.RQ_WQE_CNT),
                        out.getInt(Qp.RQ_STRIDE), record) : null,
                out.getLong(Qp.BF_REG), out.getInt(Qp.BF_SIZE));
    }

    /** Returns where a CQ's ring is; from now on libmlx5 leaves the ring alone. */
    CqRing cq(long cq) {
        Native out = Native.allocate(Cq.BYTES);
        init(Obj.CQ_IN, cq, Obj.CQ_OUT, out, LibMlx5.MLX5DV_OBJ_CQ, "CQ");
        return new CqRing(
                queue("completion queue", out.getLong(Cq.BUF), out.getInt(Cq.CQE_CNT), out.getInt(Cq.CQE_SIZE),
                        out.getLong(Cq.DBREC)),
                out.getInt(Cq.CQN), out.getLong(Cq.CQ_UAR));
    }

    /** Returns where an SRQ's ring is: the part of it that libmlx5 links into the list at first. */
    SrqRing srq(long srq) {
        Native out = Native.allocate(Srq.BYTES).putLong(Srq.COMP_MASK, LibMlx5.MLX5DV_SRQ_MASK_SRQN);
        init(Obj.SRQ_IN, srq, Obj.SRQ_OUT, out, LibMlx5.MLX5DV_OBJ_SRQ, "SRQ");
        if (out.getInt(Srq.HEAD) != 0) {
            throw new VerbsException("mlx5dv_init_obj", "a new SRQ begins at head=" + out.getInt(Srq.HEAD));
        }
        return new SrqRing(
                queue("shared receive queue", out.getLong(Srq.BUF), out.getInt(Srq.TAIL) + 1, out.getInt(Srq.STRIDE),
                        out.getLong(Srq.DBREC)),
                out.getInt(Srq.SRQN));
    }

    /** Returns the address vector of an AH: the 48 bytes that WQEs take, as big-endian longs. */
    long[] vector(long ah) {
        Native out = Native.allocate(Ah.BYTES);
        init(Obj.AH_IN, ah, Obj.AH_OUT, out, LibMlx5.MLX5DV_OBJ_AH, "AH");
        ByteBuffer vector = Native.view(out.getLong(Ah.AV), AddressVector.BYTES).order(ByteOrder.BIG_ENDIAN);
        long[] words = new long[AddressVector.BYTES / 8];
        for (int i = 0; i < words.length; i++) {
            words[i] = vector.getLong(8 * i);
        }
        return words;
    }

    /**
     * Makes a CQ as libibverbs' own function cannot.
     *
     * @return the address of a {@code struct ibv_cq}
     * @throws NativeException when the card refuses
     */
    long createCq(long context, int depth, long channel, int cqeBytes, boolean ignoreOverrun) {
        Native wanted = Native.allocate(CqInitAttrEx.BYTES)
                .putInt(CqInitAttrEx.CQE, depth)
                .putLong(CqInitAttrEx.CHANNEL, channel)
                .putInt(CqInitAttrEx.COMP_MASK, FLAGS_MASK)
                .putInt(CqInitAttrEx.FLAGS, ignoreOverrun ? IGNORE_OVERRUN : 0);
        Native more = Native.allocate(CqInitAttr.BYTES)
                .putLong(CqInitAttr.COMP_MASK, LibMlx5.MLX5DV_CQ_INIT_ATTR_MASK_CQE_SIZE)
                .putShort(CqInitAttr.CQE_SIZE, cqeBytes);
        long cq = lib.mlx5dv_create_cq(context, wanted.address(), more.address());
        Reference.reachabilityFence(wanted);
        Reference.reachabilityFence(more);
        return cq;
    }

    /** Returns the page of doorbells that all CQs of the context ring. @throws NativeException when there is none */
    Page page(long context) {
        long uar = lib.mlx5dv_devx_alloc_uar(context, LibMlx5.MLX5DV_UAR_ALLOC_TYPE_NC);
        if (uar == 0) {
            throw NativeException.last("mlx5dv_devx_alloc_uar", "page of doorbells for cross-channel QPs");
        }
        return new Page(Native.intAt(uar + Uar.PAGE_ID), Native.pointerAt(uar + Uar.REG_ADDR), uar);
    }

    void free(Page page) {
        lib.mlx5dv_devx_free_uar(page.handle());
    }
}
