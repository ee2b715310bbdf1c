/**
 * What waits at a server: heavy calls for the executor, messages that came while it was held up, and the buffers that
 * both borrow. It knows no session: who waits is a {@link org.jvrpc.runtime.server.queue.HeavyQueue.Task}, and messages
 * are taken from a link.
 *
 * <p>Internal: public for the room of servers. Threads: any, but for a backlog, which is its session's poller's.
 */
package org.jvrpc.runtime.server.queue;
