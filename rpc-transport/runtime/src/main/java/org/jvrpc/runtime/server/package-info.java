/**
 * A server's side of calls: sessions, light calls on the poller, heavy ones in a queue before the executor, long
 * requests, draining, requests and answers that travel together. {@link org.jvrpc.runtime.server.ServerCore} is what
 * stands behind {@link org.jvrpc.runtime.RpcServer}, and the one class here that knows what carries sessions. Must
 * never know a client's side. Internal: public for the module's other rooms. Threads: pollers, which wait for nobody; a
 * control thread, which makes and buries sessions; an executor. Units: lengths in bytes, times in nanoseconds.
 */
package org.jvrpc.runtime.server;
