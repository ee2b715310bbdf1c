package org.jvrpc.offload.table;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.jvrpc.verbs.Access;
import org.jvrpc.verbs.Device;
import org.jvrpc.verbs.Devices;
import org.jvrpc.verbs.MemoryRegion;

/** Tables by themselves; {@link org.jvrpc.offload.lookup.TableReaderTest} has programs look at them. */
class HashTableTest {

    private static final int MAX_VALUE = 200;

    private final Device device = Devices.open("shm://any");
    private final MemoryRegion region =
            device.allocatePd().allocate(4 << 20, Access.LOCAL_WRITE | Access.REMOTE_READ);
    private final ByteBuffer memory = region.buffer(0, (int) region.length());
    private long nowNs;

    @AfterEach
    void close() {
        device.close();
    }

    private HashTable create(boolean isCuckoo, int buckets) {
        return isCuckoo ? CuckooTable.create(region, buckets, MAX_VALUE, 100, () -> nowNs)
                : HopscotchTable.create(region, buckets, MAX_VALUE, 100, () -> nowNs);
    }

    private HashTable attach(boolean isCuckoo) {
        return isCuckoo ? CuckooTable.attach(region, MAX_VALUE, 100, () -> nowNs)
                : HopscotchTable.attach(region, MAX_VALUE, 100, () -> nowNs);
    }

    private static ByteBuffer value(int length, int content) {
        ByteBuffer bytes = ByteBuffer.allocate(length).order(ByteOrder.LITTLE_ENDIAN);
        for (int i = 0; i < length; i++) {
            bytes.put(i, (byte) (content + i));
        }
        return bytes;
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aTableIsLikeAMapAlsoWhenItIsTakenUpAgain(boolean isCuckoo) {
        long seed = System.nanoTime();
        System.out.println("seed=" + seed);
        Random random = new Random(seed);
        HashTable table = create(isCuckoo, 8);
        Map<Long, ByteBuffer> expected = new HashMap<>();
        long lastVersion = 0;
        for (int step = 0; step < 20_000; step++) {
            nowNs += 10;
            // The keys have 1024 buckets of their own, which a table of the first hundred may grow to at any time.
            long key = (step < 100 ? step : random.nextInt(700)) * 0x9e37_79b9_7f4bL & Bucket.MAX_KEY;
            if (step < 100 || random.nextInt(4) > 0) {
                ByteBuffer value = value(random.nextInt(MAX_VALUE + 1), random.nextInt());
                long version = table.put(key, value);
                assertTrue(version > lastVersion, "step " + step + " seed=" + seed);
                lastVersion = version;
                expected.put(key, value);
            } else {
                assertEquals(expected.remove(key) != null, table.remove(key), "step " + step + " seed=" + seed);
            }
            if (step % 1000 == 0) {
                table = attach(isCuckoo);
                check(table, expected, seed);
            }
        }
        check(table, expected, seed);
        assertTrue(table.buckets() >= 512, "it has grown: " + table.buckets());
    }

    private void check(HashTable table, Map<Long, ByteBuffer> expected, long seed) {
        assertEquals(expected.size(), table.size(), "seed=" + seed);
        CRC32C crc = new CRC32C();
        expected.forEach((key, value) -> {
            int at = table.get(key);
            assertTrue(at > 0 && Value.isWhole(memory, at, MAX_VALUE + Value.HEADER, key, crc), "key " + key);
            byte[] bytes = new byte[Value.length(memory, at)];
            memory.get(at + Value.HEADER, bytes);
            assertEquals(value, ByteBuffer.wrap(bytes), "key " + key + " seed=" + seed);
        });
    }

    @Test
    void aChunkRestsBeforeItIsUsedAgain() {
        HashTable table = create(true, 8);
        table.put(1, value(64, 1));
        int first = table.get(1);
        table.put(1, value(64, 2));
        int second = table.get(1);
        table.put(1, value(64, 3));
        assertTrue(first != second && first != table.get(1), "the first chunk rests");
        nowNs += 100;
        table.put(1, value(64, 4));
        assertEquals(first, table.get(1), "it is used again");
    }

    @Test
    void aFullTableSaysSoAndStaysAsItIs() {
        HashTable table = create(false, 8);
        long key = 0;
        while (table.put(key, value(MAX_VALUE, (int) key)) != 0) {
            key++;
        }
        assertTrue(key > 5000, "keys=" + key);
        assertEquals(key, table.size());
        for (long k = 0; k < key; k++) {
            assertTrue(table.get(k) > 0, "key " + k);
        }
        assertTrue(table.remove(0));
        nowNs += 100;
        assertTrue(table.put(key - 1, value(MAX_VALUE, 0)) > 0, "another value");
    }

    @Test
    void keysThatShareTheirLowBitsTakeNoRoomFromOthers() {
        HashTable table = create(false, 8);
        long alike = 1L << 40;
        assertTrue(table.put(alike, value(8, 1)) > 0);
        assertTrue(table.put(2 * alike, value(8, 2)) > 0, "the bucket next to the first");
        for (int i = 0; i < 1000; i++) { // no time passes
            assertEquals(0, table.put(3 * alike, value(8, 3)), "a third key has no third bucket");
        }
        assertEquals(8, table.buckets(), "an array that was of no use");
        long keys = 0;
        while (table.put(keys + 1, value(MAX_VALUE, (int) keys)) != 0) {
            keys++;
        }
        assertTrue(keys > 5000, "keys=" + keys);
        assertTrue(table.get(alike) > 0 && table.get(2 * alike) > 0, "they stay");
    }

    @Test
    void aTableGrowsForThreeKeysThatSomeMoreBucketsTellApart() {
        HashTable table = create(false, 1024);
        for (long key = 0; key < 3; key++) {
            assertTrue(table.put(key * 2048, value(8, 1)) > 0, "key " + key);
        }
        assertEquals(4096, table.buckets());
    }

    private int array() {
        return (int) (IndexHeader.address(memory, 0) - region.address());
    }

    @Test
    void theLastBucketIsOneOfThem() {
        HashTable table = create(false, 8);
        assertTrue(table.put(7, value(8, 1)) > 0);
        int last = array() + 7 * Bucket.BYTES;
        assertEquals(Bucket.image(7), Bucket.image(memory, last));
        table = attach(false);
        assertEquals(1, table.size(), "taken up");
        for (long key = 1; key < 5; key++) {
            assertTrue(table.put(key, value(8, 1)) > 0);
        }
        assertEquals(16, table.buckets());
        assertTrue(table.get(7) > 0, "it is in the larger array");
        assertEquals(Bucket.EMPTY, Bucket.image(memory, last), "who still reads the old array finds nothing");
    }

    @Test
    void aTableGrowsOnceForAKeyOfTheFirstBucket() {
        HashTable table = create(false, 8);
        for (long key = 1; key < 5; key++) {
            table.put(key, value(8, 1));
        }
        assertEquals(8, table.buckets());
        assertTrue(table.put(1 << 20, value(8, 1)) > 0);
        assertEquals(16, table.buckets());
    }

    @Test
    void aTableTakesAQuarterOfTheRegionAtMost() {
        HashTable table = create(false, 16_384);
        assertTrue(table.put(32_768, value(8, 1)) > 0);
        assertTrue(table.put(2 * 32_768, value(8, 2)) > 0);
        assertEquals(0, table.put(3 * 32_768, value(8, 3)), "32,768 buckets do not tell them apart");
        assertEquals(16_384, table.buckets());
        table = attach(false);
        assertTrue(table.get(2 * 32_768) > 0);
        long keys = 0;
        while (table.put(keys + 1, value(MAX_VALUE, (int) keys)) != 0) {
            keys++;
        }
        long bytes = keys * 256;
        assertTrue(bytes > region.length() / 8 * 5, "the array that was of no use is used for values: bytes=" + bytes);
    }

    @Test
    void anArrayOfMoreThanAQuarterOfTheRegionIsNotTriedWhereThereIsRoomForIt() {
        MemoryRegion large = device.allocatePd().allocate(12 << 20, Access.LOCAL_WRITE | Access.REMOTE_READ);
        HashTable table = HopscotchTable.create(large, 32_768, 8, 100, () -> nowNs);
        assertTrue(table.put(65_536, value(8, 1)) > 0);
        assertTrue(table.put(2 * 65_536, value(8, 2)) > 0);
        assertEquals(0, table.put(3 * 65_536, value(8, 3)), "131,072 buckets, of 4 MiB, would tell them apart");
        assertEquals(32_768, table.buckets());
    }

    @Test
    void aChunkThatWasAnArrayOfNoUseIsUsedAgainByTheNextProcess() {
        int longest = 900; // whose chunks are as long as an array of 16 buckets
        HashTable table = HopscotchTable.create(region, 8, longest, 100, () -> nowNs);
        table.put(1, value(longest, 1));
        int chunk = table.get(1);
        table.put(2, value(longest, 1));
        assertTrue(table.remove(1));
        nowNs += 100;
        long alike = 1L << 40;
        assertTrue(table.put(alike, value(8, 1)) > 0 && table.put(2 * alike, value(8, 2)) > 0);
        assertEquals(0, table.put(3 * alike, value(8, 3)), "16 buckets, in that chunk, are of no use");
        table = HopscotchTable.attach(region, longest, 100, () -> nowNs);
        nowNs += 100;
        table.put(3, value(longest, 1));
        assertEquals(chunk, table.get(3));
    }

    @Test
    void theArrayOfATableThatIsTakenUpIsNoRoomForValues() {
        int longest = 400; // whose chunks are as long as an array of 8 buckets
        HashTable table = HopscotchTable.create(region, 8, longest, 100, () -> nowNs);
        table.put(1, value(longest, 1));
        table = HopscotchTable.attach(region, longest, 100, () -> nowNs);
        for (int i = 0; i < 20; i++) {
            nowNs += 100;
            assertTrue(table.put(2, value(longest, i)) > 0);
            assertTrue(table.get(1) > 0 && table.get(2) > 0, "after " + i);
        }
        assertEquals(2, HopscotchTable.attach(region, longest, 100, () -> nowNs).size());
    }

    @Test
    void badValuesAreRefused() {
        assertThrows(IllegalArgumentException.class, () -> attach(true), "there is no table yet");
        assertThrows(IllegalArgumentException.class, () -> create(true, 100));
        assertThrows(IllegalArgumentException.class, () -> create(true, 1 << 20));
        HashTable table = create(true, 8);
        assertThrows(IllegalArgumentException.class, () -> table.put(1, value(MAX_VALUE + 1, 0)));
        assertThrows(IllegalArgumentException.class, () -> table.put(1L << 48, value(8, 0)));
        assertEquals(0, table.size());
    }
}
