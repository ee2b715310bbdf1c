/**
 * The port that has a network: RoCEv2 packets over UDP sockets. Owns the sockets of a device, their progress threads,
 * the tables of QPs by number, QP 1 and its connections, and how the transport of {@code jvrpc-roce} reaches rings, CQs
 * and memory. Must never know the RPC layer, nor the other port.
 *
 * <p>A QP's transport is used under its engine's monitor: by posts, by polls that find nothing, and by the progress
 * thread. Owners of connections are told by the progress thread alone, without a lock. Times are in nanoseconds of
 * {@link java.lang.System#nanoTime}, lengths in bytes.
 */
package org.jvrpc.softrnic.roce;
