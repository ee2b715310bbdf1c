/**
 * Sessions over verbs: {@link org.jvrpc.runtime.RpcServer}, {@link org.jvrpc.runtime.RpcClient}, flow control,
 * deadlines, rendezvous of long bodies, waiting, Kryo. Owns the message header and everything that a call goes through
 * between a generated stub and a generated skeleton; must never know how a device works.
 *
 * <p>Threads: a client's callers poll its completion queue themselves, one at a time under the session's lock; an event
 * thread watches the connection and polls for those that sleep. A server has one poller thread, which runs light
 * methods, a control thread, which makes and buries sessions, and an executor for heavy methods.
 *
 * <p>Answers of methods with {@link org.jvrpc.api.Offload} that a server publishes lie in a table by the bytes of their
 * arguments; a client's stub asks the program that searches it, on the caller's thread, and calls the server for what
 * that does not find. A thread of the client's own connects to programs, so that no call waits for it.
 *
 * <p>Protocols that are not calls and answers have message sessions beside: {@link org.jvrpc.runtime.MessageServer},
 * {@link org.jvrpc.runtime.MessageClient}, frames both ways. Their server has one thread that polls and calls handlers;
 * a client brings its own.
 *
 * <p>Units: lengths in bytes, times in nanoseconds.
 */
package org.jvrpc.runtime;
