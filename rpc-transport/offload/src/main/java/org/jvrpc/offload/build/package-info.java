/**
 * How a program is ended: blocks and counts are given to its WRs, rings that run for ever get their update, and the
 * order is proven. Behind {@code ProgramBuilder}, which alone is for users, with {@link Recycler} and {@link Sketch}.
 * Knows WRs and queues; must not know constructs, listings or who runs a program. One thread.
 */
package org.jvrpc.offload.build;
