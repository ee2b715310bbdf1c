package org.jvrpc.offload.table;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.jvrpc.verbs.Access;
import org.jvrpc.verbs.Device;
import org.jvrpc.verbs.Devices;
import org.jvrpc.verbs.MemoryRegion;

/** A table of answers, read as a program reads it, but by this thread. */
class MethodTableTest {

    private static final int CAPACITY = 1000;
    private static final int ANSWER = 128;

    private final Device device = Devices.open("shm://any");
    private final ByteBuffer copy = ByteBuffer.allocateDirect(ANSWER).order(ByteOrder.LITTLE_ENDIAN);
    private final CRC32C crc = new CRC32C();
    private MemoryRegion region;
    private ByteBuffer memory;
    private MethodTable table;

    @BeforeEach
    void makeTable() {
        region = device.allocatePd()
                .allocate(64 + MethodTable.bytes(CAPACITY, ANSWER), Access.LOCAL_WRITE | Access.REMOTE_READ);
        memory = region.buffer(0, (int) region.length());
        table = open();
    }

    @AfterEach
    void close() {
        device.close();
    }

    private MethodTable open() {
        return MethodTable.open(region, 64, CAPACITY, ANSWER);
    }

    private static ByteBuffer bytes(long... words) {
        ByteBuffer bytes = ByteBuffer.allocateDirect(words.length * 8).order(ByteOrder.LITTLE_ENDIAN);
        for (long word : words) {
            bytes.putLong(word);
        }
        return bytes.clear();
    }

    private static MethodAnswer answer(long key, ByteBuffer result) {
        return new MethodAnswer(bytes(key), 0, 8, result, 0, result.capacity(), 0);
    }

    private MethodPublished put(long key, long value) {
        return table.publish(answer(key, bytes(value, value * 31)), table.begin());
    }

    private boolean remove(long key) {
        return table.remove(bytes(key), 0, 8, table.begin());
    }

    /** Returns the value that a program finds, or null. */
    private Long get(long key) {
        ByteBuffer arguments = bytes(key);
        long hash = MethodHash.key(arguments, 0, 8);
        int buckets = (int) IndexHeader.count(memory, 64);
        long first = IndexHeader.address(memory, 64) - region.address();
        for (int bucket : new int[] {MethodHash.first(hash, buckets), MethodHash.second(hash, buckets)}) {
            int at = (int) first + bucket * Bucket.BYTES;
            if (Bucket.image(memory, at) == Bucket.image(hash)) {
                copy.clear().put(0, memory, (int) (Bucket.address(memory, at) - region.address()),
                        Bucket.length(memory, at));
                if (copy.getLong(0) != 0) {
                    assertTrue(MethodChunk.answers(copy, arguments, 0, 8, crc), () -> "not whole: key=" + key);
                    int result = MethodChunk.resultAt(copy);
                    assertEquals(16, MethodChunk.resultBytes(copy));
                    assertEquals(copy.getLong(result) * 31, copy.getLong(result + 8));
                    return copy.getLong(result);
                }
            }
        }
        return null;
    }

    private void assertSame(Map<Long, Long> model, long keys) {
        assertEquals(model.size(), table.size());
        for (long key = 0; key < keys; key++) {
            assertEquals(model.get(key), get(key), "key=" + key);
        }
    }

    @Test
    void aModelAndTheTableAgreeThroughFillingEmptyingAndComingBack() {
        long seed = System.nanoTime();
        System.out.println("MethodTableTest seed=" + seed);
        Random random = new Random(seed);
        Map<Long, Long> model = new HashMap<>();
        int keys = CAPACITY * 3 / 2;
        for (int step = 1; step <= 200_000; step++) {
            long key = random.nextInt(keys);
            if (random.nextInt(3) == 0) {
                assertEquals(model.remove(key) != null, remove(key), "seed=" + seed);
            } else {
                boolean room = model.containsKey(key) || model.size() < CAPACITY;
                MethodPublished expected = room ? MethodPublished.PUBLISHED : MethodPublished.NO_ROOM;
                assertEquals(expected, put(key, step), "seed=" + seed);
                if (room) {
                    model.put(key, (long) step);
                }
            }
            if (step % 50_000 == 0) {
                table = open(); // as a process that comes back
            }
            if (step % 10_000 == 0) {
                assertSame(model, keys);
            }
        }
        table.clear();
        assertSame(Map.of(), keys);
    }

    private static final long GOLDEN = 0x9e3779b97f4a7c15L;
    private static final long ROOT = 0xbb67ae8584caa73bL;

    /** Returns the x for which x * odd is 1. */
    private static long inverse(long odd) {
        long inverse = odd;
        for (int i = 0; i < 5; i++) {
            inverse *= 2 - odd * inverse;
        }
        return inverse;
    }

    /** Returns the word whose hash, of 64 bits, is given: the steps of {@link MethodHash} undone, the last first. */
    private static long ofHash(long hash) {
        long next = (hash ^ hash >>> 32) * inverse(ROOT);
        next = next ^ next >>> 29 ^ next >>> 58;
        next *= inverse(GOLDEN);
        return (next ^ next >>> 32) * inverse(ROOT) ^ 8 * GOLDEN;
    }

    /** Returns true when a program finds an answer to some arguments; it must be the one that counts. */
    private boolean finds(long argument, Map<Long, Long> model, String when) {
        ByteBuffer arguments = bytes(argument);
        long hash = MethodHash.key(arguments, 0, 8);
        int buckets = (int) IndexHeader.count(memory, 64);
        long first = IndexHeader.address(memory, 64) - region.address();
        boolean found = false;
        for (int bucket : new int[] {MethodHash.first(hash, buckets), MethodHash.second(hash, buckets)}) {
            int at = (int) first + bucket * Bucket.BYTES;
            if (Bucket.image(memory, at) == Bucket.image(hash)) {
                copy.clear().put(0, memory, (int) (Bucket.address(memory, at) - region.address()),
                        Bucket.length(memory, at));
                if (copy.getLong(0) != 0 && MethodChunk.answers(copy, arguments, 0, 8, crc)) {
                    assertEquals(model.get(argument), copy.getLong(MethodChunk.resultAt(copy)), when);
                    found = true;
                }
            }
        }
        return found;
    }

    @Test
    void argumentsWithOneKeyAreToldApart() {
        long seed = System.nanoTime();
        System.out.println("argumentsWithOneKey: seed=" + seed);
        Random random = new Random(seed);
        long key = random.nextLong() >>> 16;
        long[] colliding = new long[5];
        for (int i = 0; i < colliding.length; i++) {
            colliding[i] = ofHash(key << 16 | i);
            assertEquals(key, MethodHash.key(bytes(colliding[i]), 0, 8), "the test does not undo the hash");
        }
        Map<Long, Long> model = new HashMap<>();
        int found = 0;
        for (int step = 0; step < 20_000; step++) {
            long argument = colliding[random.nextInt(colliding.length)];
            if (random.nextInt(4) == 0) {
                remove(argument);
                model.remove(argument);
            } else if (put(argument, step) == MethodPublished.PUBLISHED) {
                model.put(argument, (long) step);
            } else {
                model.remove(argument); // without room nothing is found, not what was there before
            }
            for (long each : colliding) {
                found += finds(each, model, "seed=" + seed + " step=" + step) ? 1 : 0;
            }
        }
        assertTrue(found > 10_000, "found=" + found);
    }

    @Test
    void whatBeganLaterCountsMoreWhicheverEndsFirst() {
        long first = table.begin();
        long second = table.begin();
        assertEquals(MethodPublished.PUBLISHED, table.publish(answer(1, bytes(2, 62)), second));
        assertEquals(MethodPublished.SUPERSEDED, table.publish(answer(1, bytes(1, 31)), first));
        assertEquals(2, get(1));
        long third = table.begin();
        assertTrue(remove(1));
        assertEquals(MethodPublished.SUPERSEDED, table.publish(answer(1, bytes(3, 93)), third));
        assertNull(get(1));
        long fourth = table.begin();
        put(1, 5);
        assertFalse(table.remove(bytes(1), 0, 8, fourth));
        assertEquals(5, get(1));
    }

    @Test
    void anAnswerThatIsTooLongIsNotFoundAndNeitherIsTheOneBefore() {
        put(1, 2);
        assertEquals(MethodPublished.TOO_LONG,
                table.publish(answer(1, ByteBuffer.allocateDirect(ANSWER)), table.begin()));
        assertNull(get(1));
        assertEquals(0, table.size());
    }

    @Test
    void whatAKilledProcessDidNotFinishIsDroppedAndTheRestStays() {
        for (long key = 0; key < 100; key++) {
            put(key, key + 1);
        }
        int buckets = (int) IndexHeader.count(memory, 64);
        int first = (int) (IndexHeader.address(memory, 64) - region.address());
        long hash = MethodHash.key(bytes(7), 0, 8);
        int at = first + MethodHash.first(hash, buckets) * Bucket.BYTES;
        at = Bucket.image(memory, at) == Bucket.image(hash) ? at : first
                + MethodHash.second(hash, buckets) * Bucket.BYTES;
        int chunk = (int) (Bucket.address(memory, at) - region.address());
        memory.put(chunk + 40, (byte) 99); // torn in the middle of being written
        table = open();
        assertNull(get(7));
        assertEquals(99, table.size());
        for (long key = 0; key < 100; key++) {
            assertEquals(key == 7 ? null : Long.valueOf(key + 1), get(key));
        }
        assertEquals(MethodPublished.PUBLISHED, put(7, 70));
        assertEquals(70, get(7));
    }

    @Test
    void aTableOfOtherMeasuresIsMadeAnewUnderAnotherGeneration() {
        put(1, 2);
        long generation = IndexHeader.generation(memory, 64);
        table = MethodTable.open(region, 64, CAPACITY / 4, ANSWER);
        assertEquals(0, table.size());
        assertNull(get(1));
        assertNotEquals(generation, IndexHeader.generation(memory, 64));
        assertTrue(IndexHeader.isWhole(memory, 64));
    }

    @Test
    void everyFlippedBitOfACopyIsNoticed() {
        put(3, 4);
        assertEquals(4, get(3));
        int length = (int) MethodChunk.bytes(8, 16);
        for (int bit = 0; bit < length * 8; bit++) {
            int at = bit >> 3;
            copy.put(at, (byte) (copy.get(at) ^ 1 << (bit & 7)));
            assertFalse(MethodChunk.answers(copy, bytes(3), 0, 8, crc), "bit=" + bit);
            copy.put(at, (byte) (copy.get(at) ^ 1 << (bit & 7)));
        }
        assertTrue(MethodChunk.answers(copy, bytes(3), 0, 8, crc));
        assertFalse(MethodChunk.answers(copy, bytes(4), 0, 8, crc));
    }

    @Test
    void badMeasuresAreRefusedWithTheirValues() {
        String message = assertThrows(IllegalArgumentException.class, () -> MethodTable.bytes(0, 64)).getMessage();
        assertTrue(message.contains("capacity=0"), message);
        message = assertThrows(IllegalArgumentException.class, () -> MethodTable.bytes(1 << 24, 4096)).getMessage();
        assertTrue(message.contains("limit="), message);
        assertThrows(IllegalArgumentException.class, () -> MethodTable.open(region, 8, CAPACITY, ANSWER));
        assertThrows(IndexOutOfBoundsException.class, () -> MethodTable.open(region, 64, CAPACITY * 2, ANSWER));
    }
}
