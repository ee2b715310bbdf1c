/**
 * The software RNIC: a device that consumes mlx5 rings, with the {@code shm} port between processes of one host. This
 * package has the device and its objects (PDs, MRs, CQs, QPs, SRQs, AHs, chains), which alone know each other; must
 * never know RPC. It is the front door: it knows all rooms below, and none of them knows it.
 *
 * <pre>
 * memory    the arena, regions and keys, quarantine        queue     layouts of queues, CQ producers, {@code Port}
 * rc        engine and responder of RC                     datagram  engine, table and targets of UD
 * chain     groups of cross-channel queues, their runs     shm       the port between processes, and its connections
 * roce      the port over UDP, which no address leads to yet
 * </pre>
 * What the rooms have public is for each other, and not for other modules. Clocks are handed in, monotonic, in
 * nanoseconds. The device has no threads; the {@code roce} port has one and a clock of its own. What follows is of
 * {@code shm}.
 *
 * <p>The thread that rings the doorbell is the DMA engine: it executes its WQEs at once and does the responder's side
 * in the peer's arena. The responder state of a QP is touched by its one initiator. Progress is made inside verbs calls
 * of the initiator. What of this is so because the peer's memory is mapped lies behind {@code Port}.
 *
 * <p>Chains: the cross-channel QPs of a protection domain are run by whoever sets them going, maybe a peer's process,
 * under a claim; so all that a run must remember lies in the arena, the state of the responder included.
 *
 * <p>Receives of an SRQ are taken by all initiators of its QPs at a time, without a lock; a datagram QP is claimed by
 * one sender for one message. Either way what a dead process leaves behind is found by its name in the arena.
 *
 * <p>Memory that was freed is never given out again while a peer may be late and write to it: see {@code memory}.
 *
 * <p>Trust: peers map each other's arenas, so they are processes of one user; files have mode 0600 in a 0700 folder.
 */
package org.jvrpc.softrnic;
