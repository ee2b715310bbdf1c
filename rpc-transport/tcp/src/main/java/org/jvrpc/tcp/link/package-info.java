/**
 * One session's side of a byte stream: frames that are sent and taken, the layout of their heads
 * ({@code FrameHead}), long bodies in pieces, signs of life, and memory that is lent while bytes come. Must never know
 * addresses, nor what is behind its {@link org.jvrpc.tcp.link.Wire}. Internal: public for the module's other rooms. A
 * link is one thread's at a time; what is lent is any's. Units: lengths in bytes, times in nanoseconds.
 */
package org.jvrpc.tcp.link;
