/**
 * Links over verbs: queue pairs and their session memory, the regions of long bodies with a protection domain for each
 * session, and both ends of connecting, {@link org.jvrpc.runtime.verbs.ClientDevice} and
 * {@link org.jvrpc.runtime.verbs.ServerDevice}. The one room whose sessions' data lies in memory regions; must never
 * know calls, frames or services. Internal: public for the module's other rooms. Threads: a link has one at a time; a
 * server's control thread makes and buries. Units: lengths in bytes, times in nanoseconds.
 */
package org.jvrpc.runtime.verbs;
