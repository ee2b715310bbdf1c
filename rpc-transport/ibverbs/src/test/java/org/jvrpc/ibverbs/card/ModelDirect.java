package org.jvrpc.ibverbs.card;

import static org.jvrpc.ibverbs.card.ModelCard.WORLD;

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

/** libmlx5 of the model: tells where the queues of a {@link ModelCard} lie. */
final class ModelDirect implements LibMlx5 {

    private final ModelVerbs verbs;
    private final Native uar = Native.allocate(Uar.BYTES);
    private final ModelMemory page = ModelMemory.pages(4096);

    ModelDirect(ModelVerbs verbs) {
        this.verbs = verbs;
    }

    @Override
    public int mlx5dv_init_obj(long address, long type) {
        synchronized (WORLD) {
            ModelStruct obj = new ModelStruct(address, Obj.BYTES);
            switch ((int) type) {
                case MLX5DV_OBJ_QP:
                    qp(verbs.card.qps.get(obj.getLong(Obj.QP_IN)), new ModelStruct(obj.getLong(Obj.QP_OUT), Qp.BYTES));
                    return 0;
                case MLX5DV_OBJ_CQ:
                    cq(verbs.card.cqs.get(obj.getLong(Obj.CQ_IN)), new ModelStruct(obj.getLong(Obj.CQ_OUT), Cq.BYTES));
                    return 0;
                case MLX5DV_OBJ_SRQ:
                    srq(verbs.card.srqs.get(obj.getLong(Obj.SRQ_IN)),
                            new ModelStruct(obj.getLong(Obj.SRQ_OUT), Srq.BYTES));
                    return 0;
                case MLX5DV_OBJ_AH:
                    new ModelStruct(obj.getLong(Obj.AH_OUT), Ah.BYTES)
                            .putLong(Ah.AV, verbs.vectors.get(obj.getLong(Obj.AH_IN)).address());
                    return 0;
                default:
                    return 22;
            }
        }
    }

    private static void qp(ModelQp qp, ModelStruct out) {
        out.putLong(Qp.DBREC, qp.record.address())
                .putLong(Qp.SQ_BUF, qp.sends.address()).putInt(Qp.SQ_WQE_CNT, qp.sendBlocks).putInt(Qp.SQ_STRIDE, 64)
                .putLong(Qp.RQ_BUF, qp.receives == null ? 0 : qp.receives.address())
                .putInt(Qp.RQ_WQE_CNT, qp.receiveEntries).putInt(Qp.RQ_STRIDE, qp.receiveStride)
                .putLong(Qp.BF_REG, qp.register.address()).putInt(Qp.BF_SIZE, ModelCard.registerBytes());
    }

    private void cq(ModelCq cq, ModelStruct out) {
        out.putLong(Cq.BUF, cq.ring.address()).putLong(Cq.DBREC, cq.record.address()).putInt(Cq.CQE_CNT, cq.entries)
                .putInt(Cq.CQE_SIZE, cq.stride).putLong(Cq.CQ_UAR, verbs.card.cqPage.address())
                .putInt(Cq.CQN, cq.number);
    }

    private static void srq(ModelSrq srq, ModelStruct out) {
        out.putLong(Srq.BUF, srq.ring.address()).putLong(Srq.DBREC, srq.record.address())
                .putInt(Srq.STRIDE, srq.stride).putInt(Srq.HEAD, 0).putInt(Srq.TAIL, srq.listed - 1)
                .putInt(Srq.SRQN, srq.number);
    }

    @Override
    public long mlx5dv_create_cq(long context, long cqInitAttrEx, long mlx5CqInitAttr) {
        ModelStruct wanted = new ModelStruct(cqInitAttrEx, CqInitAttrEx.BYTES);
        return verbs.createCq(wanted.getInt(CqInitAttrEx.CQE), wanted.getLong(CqInitAttrEx.CHANNEL),
                new ModelStruct(mlx5CqInitAttr, CqInitAttr.BYTES).getInt(CqInitAttr.CQE_SIZE) & 0xffff,
                wanted.getInt(CqInitAttrEx.FLAGS) == 2);
    }

    @Override
    public long mlx5dv_devx_alloc_uar(long context, int flags) {
        new ModelStruct(uar.address(), Uar.BYTES).putLong(Uar.REG_ADDR, page.address() + 0x800)
                .putInt(Uar.PAGE_ID, 0x123);
        return uar.address();
    }

    @Override
    public void mlx5dv_devx_free_uar(long address) {
        verbs.freedPages++;
    }
}
