/**
 * Queues in a device's memory: the layouts of QPs, CQs and SRQs that peers read, the producer of a CQ, the takers of an
 * SRQ, the data segments of a WQE. Has also the seam between a QP and what carries its messages:
 * {@link org.jvrpc.softrnic.queue.Port}, and the QP and its CQs as ports see them. Must never know transports (what a
 * WQE does), connections, or the objects that users have.
 *
 * <p>Rings and doorbell records are mlx5's, contexts little-endian. Producers and engines have one thread.
 * Internal: what is public here is for the other packages of the software RNIC alone.
 */
package org.jvrpc.softrnic.queue;
