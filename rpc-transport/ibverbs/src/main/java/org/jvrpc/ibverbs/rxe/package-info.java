/**
 * The user driver of rxe, the kernel's software RoCE: its send, receive and completion rings are mapped into this
 * process, WQEs are written and CQEs read by plain Java. Only the doorbell of a send is a system call. Owns rxe's ring
 * formats and the kernel's commands that make its objects; must never know connection management, nor other devices.
 *
 * <p>Threads as in {@link org.jvrpc.verbs}. Lengths are bytes; indices of rings are elements, already masked where the
 * kernel sees them. Source of the formats: the kernel's rdma_user_rxe.h and ib_user_verbs.h.
 */
package org.jvrpc.ibverbs.rxe;
