/**
 * The driver of any RDMA device: queues made by libibverbs, and a native call for each post and poll. Slower than a
 * driver that works on the device's rings, and the only one where there is none. Owns the C structs that it passes;
 * must never know the rings of a particular device.
 *
 * <p>Threads as in {@link org.jvrpc.verbs}; a close in one thread waits for the native call of another. Lengths are
 * bytes, addresses are the process's own.
 */
package org.jvrpc.ibverbs.generic;
