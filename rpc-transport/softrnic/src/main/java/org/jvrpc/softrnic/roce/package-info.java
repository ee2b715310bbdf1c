/**
 * The port that has a network: RoCEv2 packets over a UDP socket. Owns the socket of a device, its progress thread, the
 * table of QPs by number, and how the transport of {@code jvrpc-roce} reaches rings, CQs and memory. Must never know
 * the RPC layer, nor the other port.
 *
 * <p>A QP's transport is used under its engine's monitor: by posts, by polls that find nothing, and by the progress
 * thread. Times are in nanoseconds of {@link java.lang.System#nanoTime}, lengths in bytes.
 */
package org.jvrpc.softrnic.roce;
