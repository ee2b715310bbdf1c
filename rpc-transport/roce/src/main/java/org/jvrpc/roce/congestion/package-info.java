/**
 * Congestion control of RoCEv2 flows: the field that switches mark ({@code Ecn}, {@code EcnMarking}), the receiver's
 * notifications ({@code NotificationPoint}), and the sender's rate by DCQCN ({@code DcqcnParameters},
 * {@code ReactionPoint}) and its pacing ({@code Pacer}). Owns the state of one flow for each QP and nothing else.
 *
 * <p>Must never know packets' layouts, QPs, switches' buffers, or who drives it. Callers pass {@code nowNs} in, which
 * is monotonic, in nanoseconds, begins anywhere and may wrap. Equal calls give equal rates, however often timers are
 * looked at. Random numbers are handed in. Nothing allocates after construction. One thread a flow; parameters,
 * markings and notification points are immutable and anybody's.
 *
 * <p>Sources: Zhu et al., "Congestion Control for Large-Scale RDMA Deployments", SIGCOMM 2015; bobzhuyb/ns3-rdma
 * (qbb-net-device.cc, mix/config.txt); alibaba-edu/High-Precision-Congestion-Control (rdma-hw.cc, switch-mmu.cc,
 * run.py); NVIDIA, "DCQCN CC Parameters" (DOCA 3.4); RFC 3168.
 */
package org.jvrpc.roce.congestion;
