/**
 * A client's side of calls: slots, the lock under which a session is used, futures, callbacks and the requests that
 * they make, deadlines, waiting, whose turn the channel is, reconnecting and renewal.
 * {@link org.jvrpc.runtime.client.ClientCore} is what stands behind {@link org.jvrpc.runtime.RpcClient}.
 * Must never know a server's side, nor what carries a session but for {@link org.jvrpc.runtime.client.SessionFactory}.
 * Internal: public for the module's other rooms. Threads: callers poll themselves, one at a time under the session's
 * lock; an event thread, where there is need of one, watches the connection and polls for those that sleep. Units:
 * lengths in bytes, times in nanoseconds.
 */
package org.jvrpc.runtime.client;
