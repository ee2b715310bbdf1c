/**
 * Cross-channel queues: the group that those of a protection domain are, who runs it and how far, WAIT and ENABLE, and
 * the short way of the verbs that chains are made of. Must never know the objects that users have, and how devices find
 * each other ({@link org.jvrpc.softrnic.chain.ChainHost}).
 *
 * <p>Runs on the thread of whoever delivers a message or rings a doorbell, of any process, with the group's claim; all
 * that a run must remember lies in shared memory. Layouts are little-endian. The clock is handed in.
 * Internal: what is public here is for the other packages of the software RNIC alone.
 */
package org.jvrpc.softrnic.chain;
