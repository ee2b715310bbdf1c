package org.jvrpc.benchmarks.kv;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;

/** The keys and values that all contenders get. */
final class KvData {

    /** How many keys there are. */
    static final int KEYS = 1000;
    /** The length of values in bytes. */
    static final int VALUE_BYTES = 32;

    private static final String[] NAMES = new String[KEYS];
    private static final byte[][] KEY_BYTES = new byte[KEYS][];

    static {
        for (int i = 0; i < KEYS; i++) {
            NAMES[i] = "kv-bench-" + (10_000 + i);
            KEY_BYTES[i] = NAMES[i].getBytes(StandardCharsets.US_ASCII);
        }
    }

    private KvData() {
    }

    static String name(int key) {
        return NAMES[key];
    }

    static byte[] key(int key) {
        return KEY_BYTES[key];
    }

    static byte[] value(int key) {
        byte[] value = new byte[VALUE_BYTES];
        ByteBuffer.wrap(value).order(ByteOrder.LITTLE_ENDIAN).putLong(key).putLong(VALUE_BYTES - Long.BYTES, ~key);
        return value;
    }

    /** Throws when these are not the bytes of a key's value. */
    static void check(int key, ByteBuffer value, int at, int length) {
        if (length != VALUE_BYTES || value.getLong(at) != key
                || value.getLong(at + VALUE_BYTES - Long.BYTES) != ~(long) key) {
            throw new IllegalStateException("wrong value of key=" + key + " length=" + length);
        }
    }
}
