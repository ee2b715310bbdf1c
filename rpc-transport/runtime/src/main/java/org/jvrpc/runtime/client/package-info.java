/**
 * A client's side of the calls of a session: slots, the lock under which a session is used, futures, callbacks and the
 * requests that they make, deadlines, waiting, the event thread. Whose sessions they are it knows as
 * {@link org.jvrpc.runtime.client.SessionOwner} alone. Must never know how a session is connected, a server's side,
 * nor what carries a session. Internal: public for the module's other rooms. Threads: callers poll themselves, one at
 * a time under the session's lock; an event thread, where there is need of one, watches the connection and polls for
 * those that sleep. Units: lengths in bytes, times in nanoseconds.
 */
package org.jvrpc.runtime.client;
