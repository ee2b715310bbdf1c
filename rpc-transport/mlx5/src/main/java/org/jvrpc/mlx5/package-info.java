/**
 * User driver for mlx5 queues, in plain Java over mapped memory: formats of work queue and completion queue entries,
 * the rings, doorbells, and the QP, SRQ and CQ that post to and poll them. Owns every offset of those formats; must
 * never know who consumes the rings, a UAR page of a card or the engine of the software RNIC.
 *
 * <p>All multi-byte fields are big-endian. A WQE lies in blocks of 64 bytes, its index counts blocks, and a ring wraps
 * in the middle of a WQE. Offsets and lengths are in bytes. One thread at a time posts to a ring, one polls a CQ.
 *
 * <p>Source of the formats: rdma-core, providers/mlx5 (mlx5dv.h, wqe.h, qp.c, cq.c).
 */
package org.jvrpc.mlx5;
