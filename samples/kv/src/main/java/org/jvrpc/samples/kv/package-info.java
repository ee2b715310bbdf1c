/**
 * A key-value store that memcached's clients work with. {@link org.jvrpc.samples.kv.KvServer} is the command that
 * serves it, {@link org.jvrpc.samples.kv.KvLoad} the one that loads it; {@code store} is the store in registered
 * memory, {@code memcache} the protocols over sockets, {@code rpc} the store by calls, one-sided READs and lookups.
 */
package org.jvrpc.samples.kv;
