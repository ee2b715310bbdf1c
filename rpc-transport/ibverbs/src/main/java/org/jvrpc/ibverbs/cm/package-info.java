/**
 * Connection management over librdmacm: who listens, who may come in, what is said then, and how the end is seen. Owns
 * ids and event channels of rdma_cm; must never know RPC, nor which driver a QP has.
 *
 * <p>QPs are made by drivers, so librdmacm is told a QP's number alone: it exchanges messages,
 * {@code rdma_init_qp_attr} says what the transitions to RTR and RTS need, and
 * {@link org.jvrpc.ibverbs.core.QpStates} makes them. Events are handled inside {@code await} of the channel that a
 * listener or connection was made with, by the thread that waits; none of it blocks that thread. A connection is made
 * by the thread that asks for it, bounded by its time-out.
 *
 * <p>A process that ends is noticed because the kernel then disconnects its ids. A host that is gone, or whose
 * disconnect was lost, is not: the first send to it ends in {@code RETRY_EXC_ERR} when the QP's retries are over, which
 * is half a second with rxe and up to two with cards. Who never sends does not notice.
 *
 * <p>Two things of the kernel are lived with here. A connection's end is a message, too, and one that finds the network
 * device of an rxe device down breaks connection management on that device for good, so ends wait until it is up
 * ({@code Postponed}). A device is removed only when no process has it open, and librdmacm keeps each open that it has
 * found, so one thread for each device waits for the removal and has librdmacm let go ({@code RemovalWatch}); what was
 * made by the device must be closed by its owner, who asks {@link org.jvrpc.verbs.Device#isLost()}.
 */
package org.jvrpc.ibverbs.cm;
