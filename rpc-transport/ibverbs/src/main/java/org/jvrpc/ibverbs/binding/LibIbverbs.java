package org.jvrpc.ibverbs.binding;

import jnr.ffi.types.size_t;
import jnr.ffi.types.u_int8_t;
import jnr.ffi.types.uintptr_t;

/**
 * What is used of libibverbs, version 44 and later. Functions that are inline in C are not here: see {@link Ops}.
 * Documentation: section 3 of the manual, under the same names. A pointer that is 0, and an int that is not 0, means
 * failure; {@code errno} tells why, see {@link Libraries#errno()}.
 */
public interface LibIbverbs {

    /** Lists devices; {@code count} receives an int. Free with {@link #ibv_free_device_list}. */
    @uintptr_t long ibv_get_device_list(@uintptr_t long count);

    void ibv_free_device_list(@uintptr_t long list);

    String ibv_get_device_name(@uintptr_t long device);

    @uintptr_t long ibv_open_device(@uintptr_t long device);

    int ibv_close_device(@uintptr_t long context);

    int ibv_query_device(@uintptr_t long context, @uintptr_t long deviceAttr);

    /** Fills the fields of {@code struct ibv_port_attr} up to {@code flags}. */
    int ibv_query_port(@uintptr_t long context, @u_int8_t int port, @uintptr_t long portAttr);

    int ibv_query_gid(@uintptr_t long context, @u_int8_t int port, int index, @uintptr_t long gid);

    @uintptr_t long ibv_alloc_pd(@uintptr_t long context);

    int ibv_dealloc_pd(@uintptr_t long pd);

    @uintptr_t long ibv_reg_mr(@uintptr_t long pd, @uintptr_t long address, @size_t long length, int access);

    int ibv_dereg_mr(@uintptr_t long mr);

    @uintptr_t long ibv_create_comp_channel(@uintptr_t long context);

    int ibv_destroy_comp_channel(@uintptr_t long channel);

    @uintptr_t long ibv_create_cq(
            @uintptr_t long context, int depth, @uintptr_t long cqContext, @uintptr_t long channel, int vector);

    int ibv_destroy_cq(@uintptr_t long cq);

    /** Takes an event; {@code cq} and {@code cqContext} receive pointers. Blocks while the channel's fd does. */
    int ibv_get_cq_event(@uintptr_t long channel, @uintptr_t long cq, @uintptr_t long cqContext);

    void ibv_ack_cq_events(@uintptr_t long cq, int count);

    @uintptr_t long ibv_create_srq(@uintptr_t long pd, @uintptr_t long srqInitAttr);

    int ibv_destroy_srq(@uintptr_t long srq);

    @uintptr_t long ibv_create_qp(@uintptr_t long pd, @uintptr_t long qpInitAttr);

    int ibv_modify_qp(@uintptr_t long qp, @uintptr_t long qpAttr, int mask);

    int ibv_query_qp(@uintptr_t long qp, @uintptr_t long qpAttr, int mask, @uintptr_t long qpInitAttr);

    int ibv_destroy_qp(@uintptr_t long qp);

    @uintptr_t long ibv_create_ah(@uintptr_t long pd, @uintptr_t long ahAttr);

    int ibv_destroy_ah(@uintptr_t long ah);

    /** Takes an event of the device; {@code event} is a {@link WorkLayouts.AsyncEvent}. */
    int ibv_get_async_event(@uintptr_t long context, @uintptr_t long event);

    void ibv_ack_async_event(@uintptr_t long event);
}
