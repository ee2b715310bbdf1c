/**
 * The store by jvRPC, in three ways: ordinary calls, one-sided READs of what a call told the place of, and lookups that
 * a program does at the server's queues without its CPU. {@link org.jvrpc.samples.kv.rpc.KvHost} is the server's side,
 * {@link org.jvrpc.samples.kv.rpc.KvClient} the client's. It knows the store's layout as far as peers read it; it must
 * never know memcached's protocols.
 *
 * <p>Whatever the way, an answer is right or the next slower way is asked, down to the ordinary call, which decides.
 * Threads: a client has one at a time; the server's handler any. Lengths are bytes, expiries seconds of Unix time.
 */
package org.jvrpc.samples.kv.rpc;
