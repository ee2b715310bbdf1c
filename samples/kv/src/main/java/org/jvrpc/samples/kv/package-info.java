/**
 * A key-value store that memcached's clients work with. {@link org.jvrpc.samples.kv.KvServer} is the command;
 * {@code store} is the store in registered memory, {@code memcache} the protocols over sockets.
 */
package org.jvrpc.samples.kv;
