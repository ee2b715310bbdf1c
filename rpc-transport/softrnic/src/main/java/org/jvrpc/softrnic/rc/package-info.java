/**
 * Reliable connections over mapped memory: the engine that executes a send ring on the thread that rings, and the
 * responder's state of the connection, held by its one initiator. Must never know how the peer was found, whose chains
 * its messages run ({@link org.jvrpc.softrnic.rc.MessageChains}), and datagrams.
 *
 * <p>One thread, the initiator's; a stalled queue goes on under its engine's monitor. The clock is handed in.
 * Internal: what is public here is for the other packages of the software RNIC alone.
 */
package org.jvrpc.softrnic.rc;
