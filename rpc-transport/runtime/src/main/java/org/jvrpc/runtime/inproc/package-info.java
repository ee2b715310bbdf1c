/**
 * Sessions between clients and servers of one process, {@code inproc://name}: over memory that both sides have, without
 * files and devices. Names are the process's own. Each side of a link is one thread's at a time.
 */
package org.jvrpc.runtime.inproc;
