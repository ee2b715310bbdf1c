package org.jvrpc.samples.kv.rpc;

import java.nio.ByteBuffer;
import org.jvrpc.samples.kv.store.Keys;

/** Hashes a client's keys without allocating. One thread. */
final class KeyHash {

    private final Keys keys;
    private final ByteBuffer copy = ByteBuffer.allocate(Keys.MAX_LENGTH);

    KeyHash(Keys keys) {
        this.keys = keys;
    }

    long of(byte[] key) {
        copy.put(0, key);
        return keys.hash(copy, 0, key.length);
    }
}
