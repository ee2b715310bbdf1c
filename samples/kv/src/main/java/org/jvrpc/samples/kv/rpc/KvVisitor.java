package org.jvrpc.samples.kv.rpc;

import java.nio.ByteBuffer;

/** Takes the values of several keys. */
@FunctionalInterface
public interface KvVisitor {

    /**
     * Takes a value; called at most once for each key, in any order.
     *
     * @param index of the key
     * @param bytes where the value lies during the call; to be read by absolute index
     * @param offset of the value
     * @param length of the value
     */
    void found(int index, ByteBuffer bytes, int offset, int length, int flags, long version);
}
