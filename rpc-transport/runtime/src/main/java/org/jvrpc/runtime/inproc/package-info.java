/**
 * Sessions between clients and servers of one process, {@code inproc://name}: over memory that both sides have, without
 * files and devices. Names are the process's own. Must never know calls, frames or streams. Each side of a link is one
 * thread's at a time; a server's control thread takes clients from a queue. Units: bytes, nanoseconds.
 */
package org.jvrpc.runtime.inproc;
