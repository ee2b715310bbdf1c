package org.jvrpc.offload.hull;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.jvrpc.offload.lookup.OffloadClient;
import org.jvrpc.offload.lookup.Outcome;
import org.jvrpc.offload.table.Bucket;
import org.jvrpc.offload.table.IndexHeader;
import org.jvrpc.testing.Waits;
import org.jvrpc.verbs.MemoryRegion;

/**
 * A small table of the tests: the header at 0, a word of the application at {@link #WORD}, a bucket for each key, a
 * word for each value: {@code version << 8 | key}. Key 0 is in no bucket.
 */
final class HullTable {

    static final int KEYS = 100;
    static final int WORD = 64;
    static final int BYTES = 16384;
    private static final int BUCKETS = 4096;
    private static final int VALUES = 8192;
    private static final long TIMEOUT_NS = Waits.limitNs();
    private static final VarHandle LONG = MethodHandles.byteBufferViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

    private final ByteBuffer memory;
    private final long address;

    HullTable(MemoryRegion region) {
        this.memory = region.buffer(0, BYTES);
        this.address = region.address();
    }

    void format() {
        IndexHeader.publish(memory, 0, address + BUCKETS, KEYS);
        for (int key = 0; key < KEYS; key++) {
            Bucket.clear(memory, BUCKETS + key * Bucket.BYTES);
        }
        for (int key = 1; key < KEYS; key++) {
            put(key, 1);
            Bucket.publish(memory, BUCKETS + key * Bucket.BYTES, key, address + VALUES + key * 64L, 8);
        }
    }

    /** Writes a value where it lies, all of it at once. */
    void put(int key, long version) {
        LONG.setRelease(memory, VALUES + key * 64, version << 8 | key);
    }

    long version(int key) {
        return (long) LONG.getAcquire(memory, VALUES + key * 64) >>> 8;
    }

    long word() {
        return memory.getLong(WORD);
    }

    void word(long word) {
        memory.putLong(WORD, word);
    }

    /** A client's view: asks for one key after the other, and notes what must not be. One thread. */
    static final class Reader {

        private final OffloadClient client;
        private final long buckets;
        private final long[] versions = new long[KEYS];
        private int key;

        Reader(OffloadClient client) {
            this.client = client;
            int at = client.read(client.header(), IndexHeader.BYTES);
            if (at < 0 || !IndexHeader.isWhole(client.request(), at)) {
                throw new AssertionError("no header: at=" + at);
            }
            this.buckets = IndexHeader.address(client.request(), at);
        }

        /** Gets the next key. Returns null when all is well, or what is not. */
        String next() {
            key = key % (KEYS - 1) + 1;
            Outcome outcome = get(key);
            if (outcome != Outcome.FOUND) {
                return "key " + key + ": " + outcome;
            }
            long value = client.answer().getLong(0);
            long version = value >>> 8;
            if ((value & 0xff) != key || version < versions[key]) {
                return "key " + key + ": value=0x" + Long.toHexString(value) + " after version=" + versions[key];
            }
            versions[key] = version;
            return null;
        }

        Outcome get(int key) {
            return get(key, TIMEOUT_NS);
        }

        Outcome get(int key, long timeoutNs) {
            return client.hashGet(Bucket.image(key), buckets + (long) key * Bucket.BYTES, buckets, timeoutNs);
        }
    }
}
