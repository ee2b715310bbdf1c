/**
 * Streams of a server: the sessions of those clients that have any, and the handlers' calls. Must never know sessions
 * of calls. Internal: public for the module's other rooms. Threads: pollers of streams, of which a server starts the
 * first with the first session, and handlers, on the server's executor. Units: lengths in bytes, times in nanoseconds.
 */
package org.jvrpc.runtime.stream.server;
