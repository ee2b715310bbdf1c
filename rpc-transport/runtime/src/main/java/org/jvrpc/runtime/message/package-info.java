/**
 * Message sessions: frames cut into pieces, a window of pieces each way, what waits for room at the peer. Both sides
 * are the same, so client and server are in one room. Must never know calls or services, nor what carries a session
 * but for {@link org.jvrpc.runtime.message.MessageClientCore} and
 * {@link org.jvrpc.runtime.message.MessageServerCore}. Internal: public for the module's other rooms. Threads: a server
 * has one that polls and calls handlers, a client brings its own; any thread sends. Units: lengths in bytes, times in
 * nanoseconds.
 */
package org.jvrpc.runtime.message;
