/**
 * What both sides of a session share: the hello, the headers, what a session may cost, and the seam to what carries
 * them, {@link org.jvrpc.runtime.session.Link} with its {@link org.jvrpc.runtime.session.Bodies}. Owns every layout on
 * the wire between two runtimes. Must never know which kind of link there is, nor what a call or a frame is for.
 * Internal: public for the module's other rooms. Units: lengths in bytes, times in nanoseconds.
 */
package org.jvrpc.runtime.session;
