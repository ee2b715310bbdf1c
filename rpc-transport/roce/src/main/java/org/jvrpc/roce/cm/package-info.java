/**
 * Connection management of one node: REQ, REP, RTU, REJ, MRA, DREQ and DREP as a state machine driven from outside.
 * Owns the communication ids, the tables of connections, and when a message is sent again. Must never know QPs,
 * sockets, clocks, threads or random sources: callers pass messages, {@code nowNs} (monotonic, in nanoseconds) and
 * random bits in, and drain messages and events out. One thread at a time.
 */
package org.jvrpc.roce.cm;
