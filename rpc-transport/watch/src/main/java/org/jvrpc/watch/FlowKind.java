package org.jvrpc.watch;

/** What makes two probes of a pair different flows, which ECMP may lead along different paths. */
public enum FlowKind { FLOW_LABEL, QP, DEVICE, PORT, NONE }
