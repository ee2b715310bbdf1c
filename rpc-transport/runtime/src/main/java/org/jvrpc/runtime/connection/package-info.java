/**
 * A client's connection to one server, for as long as the client lives: it is made and made again, sessions drain
 * behind it and are renewed, services are opened on whichever is there.
 * {@link org.jvrpc.runtime.connection.ClientCore} is what stands behind {@link org.jvrpc.runtime.RpcClient}. Knows
 * {@code client}, which has the calls of a session; must never know a server's side, nor what carries a session but for
 * {@link org.jvrpc.runtime.connection.SessionFactory} and what its device refuses. Internal: public for the module's
 * other rooms. Threads: those of callers, the client's event thread, and one of its own for a renewal. Units: times in
 * nanoseconds.
 */
package org.jvrpc.runtime.connection;
