/**
 * memcached's protocols over a {@link org.jvrpc.samples.kv.store.Store}, and the server of them. Answers are those of
 * memcached 1.6.18, byte for byte, but for version numbers of items, statistics, and the version's name.
 *
 * <p>{@link org.jvrpc.samples.kv.memcache.Session} is a connection's protocol without socket, thread or clock: bytes go
 * in, bytes come out. {@link org.jvrpc.samples.kv.memcache.MemcacheServer} gives it sockets and threads. Commands are
 * parsed where they lie in the input buffer and answered into the output buffer; get and set allocate nothing.
 *
 * <p>Threads: a session belongs to one event loop. Units: lengths in bytes, times in seconds.
 */
package org.jvrpc.samples.kv.memcache;
