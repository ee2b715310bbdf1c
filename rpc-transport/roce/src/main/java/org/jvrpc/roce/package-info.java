/**
 * RoCEv2 as pure state machines: packets in {@code wire}, the reliable connected service in {@code rc}, datagrams in
 * {@code ud}, rates and marks in {@code congestion}, the connection manager in {@code cm}, files of packets in
 * {@code capture}. The same class files run over UDP sockets and in a simulated network: nothing here has a clock, a
 * thread, a socket or a random source. Callers pass packets and {@code nowNs} (monotonic, in nanoseconds) in, and get
 * packets, memory accesses and completions out by the interfaces that they hand over.
 *
 * <p>Must never know what carries packets, what lies behind a key, or RPC.
 */
package org.jvrpc.roce;
