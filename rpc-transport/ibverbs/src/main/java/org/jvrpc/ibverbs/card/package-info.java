/**
 * The mlx5 user driver on a ConnectX card: libibverbs makes the queues, libmlx5 tells where they lie (direct verbs),
 * and from then on posting and polling are stores and loads of {@code org.jvrpc.mlx5}, without native calls: doorbells
 * are stores to the card's BlueFlame registers, CQs are armed by stores to its pages. Owns whatever of a card the
 * software RNIC does not have; must never know a format of a WQE or a CQE, which {@code org.jvrpc.mlx5} owns.
 *
 * <p><b>Unproven on hardware.</b> No card was at hand. What was checked instead: all layouts against the C compiler;
 * rings, doorbell records and doorbells byte by byte against memory that a card would see; and the contract of all
 * devices against a model of a card in the tests, which reads that memory on a thread of its own. README says how a
 * person with a card proves the rest with one command.
 *
 * <p><b>Atomics.</b> Operands are big-endian in the WQE (rdma-core, providers/mlx5/qp.c, _set_atomic_seg); the answer
 * lies in the SGE in the byte order of the host, which the kernel asks the card for and reports as
 * {@code IBV_ATOMIC_HCA} or {@code IBV_ATOMIC_GLOB} (drivers/infiniband/hw/mlx5/main.c, get_atomic_caps: only with
 * atomic_req_8B_endianness_mode). A card that reports no atomics has them refused when they are prepared. Masked
 * atomics, which RedN programs use as raw WQEs, are as the software RNIC has them and unproven.
 *
 * <p><b>Scatter to CQE.</b> libmlx5 asks for it unless {@code MLX5_SCATTER_TO_CQE=0}: data of up to 32 bytes, 64 in
 * CQEs of 128 bytes, of receives and of READs and atomics comes in the CQE, and the driver copies it to where the WQE
 * says.
 * WQE signatures ({@code MLX5_QP_SIGNATURE}, {@code MLX5_SRQ_SIGNATURE}) change the formats and are refused.
 *
 * <p><b>Lifetime.</b> The rings belong to libmlx5 and go with the kernel's object. A QP or SRQ that is closed is put to
 * RESET at once, but destroyed only with its CQs, its domain or its device, so that a thread that was inside a post
 * writes to memory that is still there. Nobody may poll a CQ while it is being closed.
 *
 * <p>Lengths are bytes; threads as in {@code org.jvrpc.verbs}.
 */
package org.jvrpc.ibverbs.card;
