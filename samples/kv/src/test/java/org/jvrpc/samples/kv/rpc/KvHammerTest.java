package org.jvrpc.samples.kv.rpc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.jvrpc.samples.kv.store.StoreResult;
import org.jvrpc.samples.kv.store.StoreSettings;

/**
 * Gets of every way while others put, delete and make the index grow. For each key there is one writer, who tells the
 * number of a write before it begins and after it has ended: a get must bring a write, whole, that was not older than
 * the last one ended before the get, nor newer than the last one begun.
 */
class KvHammerTest {

    private static final int KEYS = 2000;
    private static final int WRITERS = 2;
    private static final long RUN_NS = 4_000_000_000L;
    /** Gets that are made at least, however long that takes; a second is enough where processors are free. */
    private static final int LEAST = 1000;
    private static final long LIMIT_NS = 90_000_000_000L;
    private static final int HEADER = 24;

    private final AtomicLongArray begun = new AtomicLongArray(KEYS);
    private final AtomicLongArray ended = new AtomicLongArray(KEYS);
    private final AtomicBoolean stop = new AtomicBoolean();
    private final AtomicReference<Throwable> failure = new AtomicReference<>();
    private final byte[][] keys = new byte[KEYS][];

    KvHammerTest() {
        for (int i = 0; i < KEYS; i++) {
            String pad = i % 3 == 0 ? "-".repeat(i % 200) : "";
            keys[i] = ("hammer" + pad + i).getBytes(StandardCharsets.US_ASCII);
        }
    }

    /** A value says whose and which write's it is, and goes on with bytes that follow from that. */
    private static void compose(ByteBuffer value, int key, long write) {
        int length = HEADER + (int) ((key * 31L + write * 17) % 300);
        value.clear();
        value.putInt(key).putLong(write).putInt(length);
        long state = key * 0x9e3779b97f4a7c15L + write;
        while (value.position() < length) {
            state = state * 6364136223846793005L + 1442695040888963407L;
            value.put((byte) (state >>> 56));
        }
        value.flip();
    }

    private void guarded(Runnable work) {
        try {
            work.run();
        } catch (Throwable e) {
            failure.compareAndSet(null, e);
            stop.set(true);
        }
    }

    private void write(KvFixture kv, int part, long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        ByteBuffer value = ByteBuffer.allocateDirect(HEADER + 300).order(ByteOrder.LITTLE_ENDIAN);
        try (KvClient client = kv.client(KvWay.RPC)) {
            while (!stop.get()) {
                int key = random.nextInt(KEYS / WRITERS) * WRITERS + part;
                long write = begun.get(key) + 1;
                begun.set(key, write);
                if (isDeletion(write)) {
                    client.delete(keys[key]);
                } else {
                    compose(value, key, write);
                    assertEquals(StoreResult.STORED, client.set(keys[key], value, key, 0));
                }
                ended.set(key, write);
            }
        }
    }

    private static boolean isDeletion(long write) {
        return write % 32 == 31;
    }

    private static boolean mayBeMissing(long from, long to) {
        boolean may = from == 0;
        for (long write = from; write <= to; write++) {
            may |= isDeletion(write);
        }
        return may;
    }

    private void read(KvClient client, SplittableRandom random, ByteBuffer into, ByteBuffer expected) {
        int key = random.nextInt(KEYS);
        long from = ended.get(key);
        into.clear();
        int length = client.get(keys[key], into);
        long to = begun.get(key);
        if (length < 0) {
            assertTrue(mayBeMissing(from, to), "key " + key + " missing, writes " + from + ".." + to);
            return;
        }
        long write = into.getLong(4);
        assertTrue(write >= from && write <= to, "key " + key + " write " + write + " not in " + from + ".." + to);
        compose(expected, key, write);
        assertEquals(expected, into.flip(), "key " + key + " write " + write);
        assertEquals(key, client.flags());
    }

    private void hammer(KvWay way, StoreSettings settings) throws InterruptedException {
        long seed = System.nanoTime();
        System.out.println("seed " + seed);
        long gets = 0;
        try (KvFixture kv = new KvFixture(settings); KvClient client = kv.client(way)) {
            List<Thread> writers = new ArrayList<>();
            for (int i = 0; i < WRITERS; i++) {
                int part = i;
                writers.add(new Thread(() -> guarded(() -> write(kv, part, seed + part)), "writer-" + i));
            }
            writers.forEach(Thread::start);
            SplittableRandom random = new SplittableRandom(seed - 1);
            ByteBuffer into = ByteBuffer.allocateDirect(1024).order(ByteOrder.LITTLE_ENDIAN);
            ByteBuffer expected = ByteBuffer.allocateDirect(1024).order(ByteOrder.LITTLE_ENDIAN);
            long startNs = System.nanoTime();
            long limitNs = RUN_NS;
            try {
                while (!stop.get() && System.nanoTime() - startNs < limitNs) {
                    read(client, random, into, expected);
                    limitNs = ++gets < LEAST ? LIMIT_NS : RUN_NS;
                }
            } finally {
                stop.set(true);
                for (Thread writer : writers) {
                    writer.join();
                }
            }
            assertNull(failure.get(), () -> "a writer failed: " + failure.get() + ", seed " + seed);
            StringBuilder how = new StringBuilder();
            for (KvCounts.Answered each : KvCounts.Answered.values()) {
                how.append(' ').append(each).append('=').append(client.counts().get(each));
            }
            System.out.println(way + " gets=" + gets + how);
            long asTheWayIs = client.counts().get(
                    way == KvWay.RPC ? KvCounts.Answered.CALLED : KvCounts.Answered.DIRECT);
            assertTrue(asTheWayIs > 0, way + " gets=" + gets + how);
            assertTrue(LongStream.range(0, KEYS).map(key -> ended.get((int) key)).sum() > KEYS / 10, "few writes");
        } catch (AssertionError e) {
            throw new AssertionError("seed " + seed + ": " + e.getMessage(), e);
        }
        assertTrue(gets >= LEAST, way + " gets=" + gets);
    }

    @Test
    void getsByOffloadAreRightWhileOthersWrite() throws InterruptedException {
        hammer(KvWay.OFFLOAD, StoreSettings.ofMemory(16 << 20).withBuckets(64, 64));
    }

    @Test
    void getsByOffloadAreRightWhereChunksAreUsedAgainAtOnce() throws InterruptedException {
        hammer(KvWay.OFFLOAD, StoreSettings.ofMemory(16 << 20).withGraceNs(0));
    }

    @Test
    void getsByReadAreRightWhileOthersWrite() throws InterruptedException {
        hammer(KvWay.ONE_SIDED, StoreSettings.ofMemory(16 << 20).withGraceNs(0));
    }

    @Test
    void getsByCallAreRightWhileOthersWrite() throws InterruptedException {
        hammer(KvWay.RPC, StoreSettings.ofMemory(16 << 20));
    }
}
