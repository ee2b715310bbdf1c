/**
 * The queues that programs are written to, with the CQs that they wait for, and the WQEs that lie in them: which fields
 * an opcode has, what these are called, how an operand lies in the first one. Knows verbs and the mlx5 formats; must
 * not know WRs, nor what is built of them. Offsets and lengths are bytes, places in a ring blocks. One thread.
 */
package org.jvrpc.offload.queue;
