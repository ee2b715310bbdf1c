package org.jvrpc.ibverbs.binding;

import jnr.ffi.types.u_int32_t;
import jnr.ffi.types.u_int64_t;
import jnr.ffi.types.uintptr_t;

/**
 * What is used of libmlx5, the direct verbs of mlx5 cards. Documentation: section 3 of the manual, under the same
 * names.
 */
public interface LibMlx5 {

    /** For {@link #mlx5dv_init_obj}. */
    int MLX5DV_OBJ_QP = 1;
    /** For {@link #mlx5dv_init_obj}. */
    int MLX5DV_OBJ_CQ = 1 << 1;
    /** For {@link #mlx5dv_init_obj}. */
    int MLX5DV_OBJ_SRQ = 1 << 2;
    /** For {@link #mlx5dv_init_obj}. */
    int MLX5DV_OBJ_AH = 1 << 5;
    /** {@code MLX5DV_SRQ_MASK_SRQN}: asks for the SRQ's number. */
    int MLX5DV_SRQ_MASK_SRQN = 1;
    /** {@code MLX5DV_CQ_INIT_ATTR_MASK_CQE_SIZE}. */
    int MLX5DV_CQ_INIT_ATTR_MASK_CQE_SIZE = 1 << 2;
    /** {@code MLX5DV_UAR_ALLOC_TYPE_NC}: the page that the context's CQs ring, too. */
    int MLX5DV_UAR_ALLOC_TYPE_NC = 1;

    /** Tells where an object of libibverbs lies; {@code obj} is a {@link Mlx5Layouts.Obj}. 0 or an errno. */
    int mlx5dv_init_obj(@uintptr_t long obj, @u_int64_t long type);

    /** Makes a CQ with CQEs of a chosen size; returns a {@code struct ibv_cq_ex}, which begins as an ibv_cq does. */
    @uintptr_t long mlx5dv_create_cq(
            @uintptr_t long context, @uintptr_t long cqInitAttrEx, @uintptr_t long mlx5CqInitAttr);

    /** Returns a {@link Mlx5Layouts.Uar}. */
    @uintptr_t long mlx5dv_devx_alloc_uar(@uintptr_t long context, @u_int32_t int flags);

    void mlx5dv_devx_free_uar(@uintptr_t long uar);
}
