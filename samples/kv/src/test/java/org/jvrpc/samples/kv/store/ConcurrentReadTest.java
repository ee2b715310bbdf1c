package org.jvrpc.samples.kv.store;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Random;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.jvrpc.offload.table.Bucket;
import org.jvrpc.offload.table.Hashes;
import org.jvrpc.verbs.MemoryRegion;

/** Peers read buckets and items while the store changes them. */
class ConcurrentReadTest {

    private static final int KEYS = 200;
    private static final int READS = 1_000_000;

    @Test
    void noReaderEverTakesATornOrFreedValue() throws InterruptedException {
        long seed = System.nanoTime();
        System.out.println("seed=" + seed);
        StoreSettings settings = StoreSettings.ofMemory(4L << 20).withGraceNs(0).withBuckets(64, 64);
        try (TestRegion region = new TestRegion(settings.regionBytes())) {
            Store store = Store.create(region.region(), settings, Clock.system());
            AtomicReference<Throwable> failure = new AtomicReference<>();
            Thread reader = new Thread(() -> {
                try {
                    read(region.region(), seed);
                } catch (Throwable e) {
                    failure.set(e);
                }
            });
            reader.start();
            Random random = new Random(seed);
            while (reader.isAlive()) {
                byte[] key = key(random.nextInt(KEYS));
                if (random.nextInt(10) == 0) {
                    store.delete(key);
                } else {
                    store.set(key, value(key, random), 0, 0);
                }
            }
            reader.join();
            assertNull(failure.get(), () -> "reader: " + failure.get());
            Audit.check(store);
        }
    }

    private static byte[] key(int number) {
        return ("k" + number).getBytes();
    }

    /** All bytes say which key they belong to and are equal to each other. */
    private static byte[] value(byte[] key, Random random) {
        byte[] value = new byte[key.length + 1 + random.nextInt(600)];
        java.util.Arrays.fill(value, (byte) random.nextInt());
        System.arraycopy(key, 0, value, 0, key.length);
        return value;
    }

    private static void read(MemoryRegion region, long seed) {
        Random random = new Random(seed + 1);
        ItemReader reader = new ItemReader();
        ByteBuffer bucket = ByteBuffer.allocateDirect(Bucket.BYTES);
        ByteBuffer copy = ByteBuffer.allocate(4096).order(ByteOrder.LITTLE_ENDIAN);
        ByteBuffer whole = region.buffer(0, (int) region.length());
        Keys keys = new Keys(whole.getLong(Superblock.HASH_SECRET), whole.getLong(Superblock.HASH_SECRET + 8));
        int hits = 0;
        for (int i = 0; i < READS; i++) {
            byte[] key = key(random.nextInt(KEYS));
            long key48 = Keys.key48(keys.hash(ByteBuffer.wrap(key), 0, key.length));
            long base = whole.getLong(Superblock.OFFLOAD_ADDRESS) - region.address();
            long mask = whole.getLong(Superblock.OFFLOAD_BUCKETS) - 1;
            long place = random.nextBoolean() ? Hashes.first(key48, mask) : Hashes.second(key48, mask);
            int at = (int) (base + place * Bucket.BYTES);
            if (at < 0 || at + Bucket.BYTES > whole.capacity()) {
                continue;
            }
            bucket.put(0, whole, at, Bucket.BYTES);
            if (Bucket.key(Bucket.image(bucket, 0)) != key48) {
                continue;
            }
            int from = (int) (Bucket.address(bucket, 0) - region.address());
            int length = Bucket.length(bucket, 0);
            copy.clear().put(0, whole, from, length);
            if (reader.verify(copy, 0, length, key, 0, key.length, 0) == ReadOutcome.HIT) {
                check(copy, reader, key);
                hits++;
            }
        }
        System.out.println("reads=" + READS + " hits=" + hits);
        assertTrue(hits > READS / 20, "hits=" + hits);
    }

    private static void check(ByteBuffer copy, ItemReader reader, byte[] key) {
        int at = reader.valueOffset();
        for (int i = 0; i < key.length; i++) {
            assertEquals(key[i], copy.get(at + i));
        }
        for (int i = key.length + 1; i < reader.valueLength(); i++) {
            assertEquals(copy.get(at + key.length), copy.get(at + i), "byte " + i);
        }
    }
}
