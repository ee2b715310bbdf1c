/**
 * A client of several servers: where they are, a connection to each that is wanted, and which of them gets a call.
 * {@link org.jvrpc.runtime.channel.BalancedCore} is what stands behind {@link org.jvrpc.runtime.RpcClient} then; a
 * client of one server knows nothing of this room. Each connection is a client of one server, by
 * {@link org.jvrpc.runtime.route.ServerLink}. What resolvers say is checked here: it may name servers, and nothing in
 * it turns off or weakens what the client's user asked for.
 *
 * <p>Internal: public for the module's other rooms. Threads: a client has one that looks after states, and a few for
 * what waits, to connect and to close; calls look at a snapshot, and lock only where no server is ready. Units: times
 * in nanoseconds.
 */
package org.jvrpc.runtime.channel;
