package org.jvrpc.ibverbs.binding;

import jnr.ffi.types.size_t;
import jnr.ffi.types.u_int8_t;
import jnr.ffi.types.uintptr_t;

/**
 * What is used of librdmacm. Documentation: section 3 of the manual, under the same names. A pointer that is 0, and an
 * int that is not 0, means failure; {@code errno} tells why. Socket addresses are {@code struct sockaddr_in} or
 * {@code sockaddr_in6}.
 */
public interface LibRdmacm {

    /** Port space of reliable connections, for {@link #rdma_create_id}. */
    int RDMA_PS_TCP = 0x0106;
    /** Port space of datagrams. */
    int RDMA_PS_UDP = 0x0111;
    /** Level of options of an id, for {@link #rdma_set_option}. */
    int RDMA_OPTION_ID = 0;
    /** The traffic class of packets, 1 byte; set before the route is resolved, which takes the service level of it. */
    int RDMA_OPTION_ID_TOS = 0;

    @uintptr_t long rdma_create_event_channel();

    void rdma_destroy_event_channel(@uintptr_t long channel);

    /** Makes an id; {@code id} receives its address. */
    int rdma_create_id(@uintptr_t long channel, @uintptr_t long id, @uintptr_t long context, int portSpace);

    int rdma_destroy_id(@uintptr_t long id);

    int rdma_bind_addr(@uintptr_t long id, @uintptr_t long address);

    int rdma_resolve_addr(
            @uintptr_t long id, @uintptr_t long source, @uintptr_t long destination, int timeoutMs);

    /** Sets an option; {@code value} is the address of it. */
    int rdma_set_option(
            @uintptr_t long id, int level, int name, @uintptr_t long value, @size_t long length);

    int rdma_resolve_route(@uintptr_t long id, int timeoutMs);

    int rdma_listen(@uintptr_t long id, int backlog);

    int rdma_connect(@uintptr_t long id, @uintptr_t long connParam);

    /** Ends the three-way handshake of an id that has no QP of librdmacm's. */
    int rdma_establish(@uintptr_t long id);

    int rdma_accept(@uintptr_t long id, @uintptr_t long connParam);

    int rdma_reject(@uintptr_t long id, @uintptr_t long privateData, @u_int8_t int privateDataLength);

    int rdma_disconnect(@uintptr_t long id);

    /** Takes an event; {@code event} receives its address. Blocks while the channel's fd does. */
    int rdma_get_cm_event(@uintptr_t long channel, @uintptr_t long event);

    int rdma_ack_cm_event(@uintptr_t long event);

    /** Fills {@code struct ibv_qp_attr}, whose {@code qp_state} says for which state, and the mask. */
    int rdma_init_qp_attr(@uintptr_t long id, @uintptr_t long qpAttr, @uintptr_t long mask);

    /** Moves an id to another channel; waits until its events were acknowledged. */
    int rdma_migrate_id(@uintptr_t long id, @uintptr_t long channel);

    short rdma_get_src_port(@uintptr_t long id);

    String rdma_event_str(int event);

    /** Opens all devices and closes those that are gone; {@code count} receives how many, where it is not 0. */
    @uintptr_t long rdma_get_devices(@uintptr_t long count);

    void rdma_free_devices(@uintptr_t long list);
}
