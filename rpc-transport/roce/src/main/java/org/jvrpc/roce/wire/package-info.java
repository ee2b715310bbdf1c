/**
 * Layouts of RoCEv2 packets from the BTH to the ICRC, one class for each header, and their checks. Owns every offset on
 * the wire; knows no state. All fields are big-endian but the ICRC; buffers are expected in that order, and offsets
 * are absolute ones in bytes. Nothing allocates. One thread a buffer.
 *
 * <p>Sources: InfiniBand Architecture Specification, volume 1, chapter 9 and annex A17 (RoCEv2); Linux,
 * drivers/infiniband/sw/rxe (rxe_hdr.h, rxe_opcode.c, rxe_icrc.c) and include/rdma/ib_pack.h.
 */
package org.jvrpc.roce.wire;
