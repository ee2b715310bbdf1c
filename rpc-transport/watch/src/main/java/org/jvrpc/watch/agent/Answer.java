package org.jvrpc.watch.agent;

/** A probe that was taken and is answered. */
record Answer(Peer peer, long sequence, int nonce, int flow, int size, int serviceLevel, long t3) { }
