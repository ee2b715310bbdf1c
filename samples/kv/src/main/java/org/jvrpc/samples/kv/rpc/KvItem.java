package org.jvrpc.samples.kv.rpc;

/**
 * An item.
 *
 * @param key whose it is
 * @param value the bytes
 * @param flags the client's own 32 bits
 * @param expiry Unix time in seconds, 0 for never
 * @param version rises over all items; memcached's "cas unique"
 */
public record KvItem(byte[] key, byte[] value, int flags, long expiry, long version) {
}
