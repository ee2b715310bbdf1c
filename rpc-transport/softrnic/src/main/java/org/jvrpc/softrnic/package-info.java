/**
 * The software RNIC: a device that consumes mlx5 rings, with the {@code shm} port between processes of one host. Owns
 * the arena in shared memory, the table of memory regions, the engine that executes WQEs, and connection management
 * over Unix-domain sockets; must never know RPC.
 *
 * <p>The thread that rings the doorbell is the DMA engine: it executes its WQEs at once and does the responder's side
 * in the peer's arena. The responder state of a QP is touched by its one initiator. The engine has no thread and no
 * socket; the clock that it needs for RNR retries is handed in. Progress is made inside verbs calls of the initiator.
 *
 * <p>Chains: the cross-channel QPs of a protection domain are run by whoever sets them going, maybe a peer's process,
 * under a claim; so all that a run must remember lies in the arena, the state of the responder included.
 *
 * <p>Receives of an SRQ are taken by all initiators of its QPs at a time, without a lock; a datagram QP is claimed by
 * one sender for one message. Either way what a dead process leaves behind is found by its name in the arena.
 *
 * <p>Memory that was freed is never given out again: a slab of the arena lives until everything in it is freed, and
 * then goes as a whole, so that a peer that is late writes to nobody's memory. Mappings end when the garbage collector
 * finds them unreachable.
 *
 * <p>Trust: peers map each other's arenas, so they are processes of one user; files have mode 0600 in a 0700 folder.
 */
package org.jvrpc.softrnic;
