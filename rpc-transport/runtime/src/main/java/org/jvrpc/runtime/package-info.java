/**
 * Calls and messages between processes: {@link org.jvrpc.runtime.RpcServer}, {@link org.jvrpc.runtime.RpcClient}, and
 * for protocols that are not calls and answers {@link org.jvrpc.runtime.MessageServer},
 * {@link org.jvrpc.runtime.MessageClient}. This package has what users see: the front doors, and a vocabulary of
 * settings and interfaces that knows none of the rooms behind them. What is public in a room is internal, and may
 * change at any time. Must never know how a device works.
 *
 * <p>Two rooms are users', too: {@code resolve} and {@code balance}. Of the others each knows those before it at most:
 * {@code thread}, {@code graph}, {@code guard}, {@code session}, {@code transport}, {@code memory}, {@code inproc},
 * {@code verbs}, {@code service}, {@code offload}, {@code invocation}, {@code retry}, {@code route}, {@code health},
 * {@code stream} with its rooms; then {@code client}, {@code server} and {@code message}, which do not know each other,
 * and {@code channel}, a client of several servers.
 *
 * <p>Threads: a client's callers poll for their answers themselves, one at a time under the session's lock; an event
 * thread watches the connection and polls for those that sleep. A server has a poller thread, or several, which run
 * light methods, a control thread, which makes and buries sessions, and an executor for heavy methods.
 *
 * <p>Answers of methods with {@link org.jvrpc.api.Offload} that a server publishes lie in a table by the bytes of their
 * arguments; a client's stub asks the program that searches it, on the caller's thread, and calls the server for what
 * that does not find. A thread of the client's own connects to programs, so that no call waits for it.
 *
 * <p>Units: lengths in bytes, times in nanoseconds.
 */
@NullMarked
package org.jvrpc.runtime;

import org.jspecify.annotations.NullMarked;
