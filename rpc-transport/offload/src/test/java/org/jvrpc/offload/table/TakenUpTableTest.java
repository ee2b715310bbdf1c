package org.jvrpc.offload.table;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.util.function.IntConsumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.jvrpc.verbs.Access;
import org.jvrpc.verbs.Device;
import org.jvrpc.verbs.Devices;
import org.jvrpc.verbs.MemoryRegion;
import org.jvrpc.verbs.ProtectionDomain;

/** The memory of a hash table: what readers see while it changes, and what the next writer makes of what one left. */
class TakenUpTableTest {

    private static final int LENGTH = 64 << 10;
    private static final int MAX_VALUE = 32;
    private static final int ARRAY = 192;
    private static final long GRACE = 100;

    private final Device device = Devices.open("shm://any");
    private final ProtectionDomain pd = device.allocatePd();
    /** So that the table begins at no round address. */
    private final MemoryRegion before = pd.allocate(4096, 0);
    private final MemoryRegion region = pd.allocate(LENGTH, Access.LOCAL_WRITE | Access.REMOTE_READ);
    private final ByteBuffer memory = region.buffer(0, LENGTH);
    private long nowNs;

    @AfterEach
    void close() {
        device.close();
    }

    private CuckooTable create(int buckets) {
        return CuckooTable.create(region, buckets, MAX_VALUE, GRACE, () -> nowNs);
    }

    private CuckooTable attach() {
        return CuckooTable.attach(region, MAX_VALUE, GRACE, () -> nowNs);
    }

    private static ByteBuffer value(long content) {
        return ByteBuffer.allocate(8).putLong(0, content);
    }

    private long content(int at) {
        return Long.reverseBytes(memory.getLong(at + Value.HEADER));
    }

    private int array() {
        return (int) (IndexHeader.address(memory, 0) - region.address());
    }

    private int bucketsInHeader() {
        return (int) IndexHeader.count(memory, 0);
    }

    /** Returns the bucket where a reader finds a key, of the two; -1 when it is in none. */
    private int bucketOf(long key) {
        int mask = bucketsInHeader() - 1;
        for (long bucket : new long[] {Hashes.first(key, mask), Hashes.second(key, mask)}) {
            if (Bucket.image(memory, array() + (int) bucket * Bucket.BYTES) == Bucket.image(key)) {
                return (int) bucket;
            }
        }
        return -1;
    }

    @Test
    void anEmptyTableIsAHeaderAndAnArrayOfEmptyBuckets() {
        for (int at = 0; at < 2048; at++) {
            memory.put(at, (byte) 0xee);
        }
        CuckooTable table = create(8);
        assertEquals(ARRAY, array());
        assertEquals(8, bucketsInHeader());
        assertEquals(8, table.buckets());
        assertEquals(MAX_VALUE, table.maxValue());
        assertTrue(IndexHeader.isWhole(memory, 0));
        assertEquals(-1, memory.getInt(ARRAY - 60), "the array's marker");
        assertEquals(8, memory.getLong(ARRAY - 56), "the array's length");
        for (int bucket = 0; bucket < 8; bucket++) {
            assertEquals(Bucket.EMPTY, Bucket.image(memory, ARRAY + bucket * Bucket.BYTES), "bucket " + bucket);
        }
        assertEquals((byte) 0xee, memory.get(ARRAY + 8 * Bucket.BYTES), "nothing behind the last bucket");
        assertEquals(1, create(8).put(7, value(1)), "versions begin with 1");
    }

    private static long key(long number) {
        return number * 0x9e37_79b9_7f4a_7c15L >>> 16;
    }

    @Test
    void whoMissesAMovedKeySeesAnotherGeneration() {
        CuckooTable table = create(256);
        int moves = 0;
        for (long key = 1; key <= 128; key++) {
            int[] before = new int[(int) key];
            for (int k = 1; k < key; k++) {
                before[k] = bucketOf(key(k));
            }
            long generation = IndexHeader.generation(memory, 0);
            assertTrue(table.put(key(key), value(key)) > 0);
            boolean moved = false;
            for (int k = 1; k < key; k++) {
                moved |= bucketOf(key(k)) != before[k];
            }
            moves += moved ? 1 : 0;
            assertEquals(moved, IndexHeader.generation(memory, 0) != generation, "a move shows: key=" + key);
        }
        assertEquals(256, table.buckets());
        assertTrue(moves > 0, "nothing has moved");
    }

    @Test
    void whatMovedForAKeyWhoseValueFoundNoRoomIsInOnePlace() {
        CuckooTable table = create(256);
        for (long key = 1; key <= 120; key++) {
            assertTrue(table.put(key(key), value(key)) > 0);
        }
        while (table.put(key(1), value(1)) != 0) { } // all chunks rest
        int[] before = new int[121];
        for (int k = 1; k <= 120; k++) {
            before[k] = bucketOf(key(k));
        }
        for (long key = 1000; key < 1100; key++) {
            assertEquals(0, table.put(key(key), value(key)));
        }
        int moved = 0;
        for (int k = 1; k <= 120; k++) {
            moved += bucketOf(key(k)) != before[k] ? 1 : 0;
            assertTrue(table.remove(key(k)), "key " + k);
            assertEquals(-1, table.get(key(k)), "removed, and found in its old place: key " + k);
        }
        assertTrue(moved > 0, "nothing has moved");
    }

    @Test
    void anOutgrownArrayIsEmptyAndItsHeadersGenerationIsOver() {
        CuckooTable table = create(8);
        long generation = IndexHeader.generation(memory, 0);
        for (long key = 1; table.buckets() == 8; key++) {
            table.put(key, value(key));
        }
        assertNotEquals(generation, IndexHeader.generation(memory, 0));
        assertEquals(table.buckets(), bucketsInHeader());
        assertNotEquals(ARRAY, array());
        for (int bucket = 0; bucket < 8; bucket++) {
            assertEquals(Bucket.EMPTY, Bucket.image(memory, ARRAY + bucket * Bucket.BYTES), "bucket " + bucket);
        }
        for (long key = 1; key <= table.size(); key++) {
            assertEquals(key, content(table.get(key)), "key=" + key);
        }
        assertTrue(attach().put(100, value(1)) > 0);
        assertEquals(Bucket.EMPTY, Bucket.image(memory, ARRAY), "it is never used again");
    }

    @Test
    void aTableThatIsMoreThanHalfFullGrows() {
        HopscotchTable table = HopscotchTable.create(region, 16, MAX_VALUE, GRACE, () -> nowNs);
        for (long key = 0; key < 8; key++) {
            table.put(2 * key, value(key));
            assertEquals(16, table.buckets(), "size=" + table.size());
        }
        table.put(1, value(1));
        assertEquals(32, table.buckets());
        assertEquals(9, table.size());
    }

    @Test
    void aTableThatCannotGrowFillsMoreThanHalfOfItsBuckets() {
        HopscotchTable table = HopscotchTable.create(region, 512, MAX_VALUE, GRACE, () -> nowNs);
        for (long key = 0; key < 400; key++) {
            assertTrue(table.put(key, value(key)) > 0, "key=" + key);
        }
        assertEquals(512, table.buckets());
        assertEquals(399, content(table.get(399)));
    }

    @Test
    void keysThatHaveNoOtherPlaceMakeItGrowUntilTheyFit() {
        HopscotchTable table = HopscotchTable.create(region, 8, MAX_VALUE, GRACE, () -> nowNs);
        for (long key = 0; key < 3; key++) {
            assertTrue(table.put(key * 64, value(key)) > 0); // one home in arrays of up to 64
        }
        assertEquals(128, table.buckets());
        for (long key = 0; key < 3; key++) {
            assertEquals(key, content(table.get(key * 64)));
        }
    }

    @Test
    void keysThatFitInNoArrayOfTheRegionAreRefusedAndTheOthersStay() {
        HopscotchTable table = HopscotchTable.create(region, 8, MAX_VALUE, GRACE, () -> nowNs);
        table.put(1L << 40, value(1));
        table.put(2L << 40, value(2));
        assertEquals(0, table.put(3L << 40, value(3)));
        assertEquals(2, table.size());
        assertEquals(-1, table.get(3L << 40));
        assertEquals(1, content(table.get(1L << 40)));
        assertEquals(2, content(table.get(2L << 40)));
    }

    @Test
    void aMoveThatWasCutOffIsEnded() {
        CuckooTable before = create(16);
        before.put(3, value(1));
        before.put(5, value(2));
        int mask = 15;
        long key = 3;
        int first = array() + (int) Hashes.first(key, mask) * Bucket.BYTES;
        int second = array() + (int) Hashes.second(key, mask) * Bucket.BYTES;
        assertNotEquals(first, second, "the key has two places");
        Bucket.publish(memory, second, key, Bucket.address(memory, first), Bucket.length(memory, first));
        CuckooTable table = attach();
        assertEquals(2, table.size());
        assertEquals(1, content(table.get(key)));
        assertTrue((Bucket.image(memory, first) == Bucket.EMPTY) != (Bucket.image(memory, second) == Bucket.EMPTY),
                "it is in one place");
        assertTrue(table.remove(key));
        assertEquals(-1, table.get(key));
    }

    @Test
    void theNewerOfTwoPlacesCountsWhenAPutFollowedAMoveThatWasNotSeen() {
        create(16).put(3, value(1));
        int first = array() + 3 * Bucket.BYTES;
        int second = array() + (int) Hashes.second(3, 15) * Bucket.BYTES;
        long generation = IndexHeader.generation(memory, 0);
        Bucket.publish(memory, second, 3, Bucket.address(memory, first), Bucket.length(memory, first) - 4);
        attach();
        assertEquals(Bucket.EMPTY, Bucket.image(memory, second));
        assertEquals(Value.HEADER + 4, Bucket.length(memory, first), "of the place that was cleared");
        assertTrue(IndexHeader.generation(memory, 0) >= generation + 2, "readers are told before it is cleared");
    }

    @Test
    void versionsGoOnAndWhatIsNotInUseRests() {
        CuckooTable before = create(16);
        before.put(1, value(1));
        before.put(2, value(2));
        before.put(2, value(3)); // its first chunk is free
        int one = before.get(1);
        int two = before.get(2);
        CuckooTable table = attach();
        assertEquals(one, table.get(1));
        assertEquals(two, table.get(2));
        assertEquals(4, table.put(3, value(4)));
        assertTrue(table.get(3) > two, "what was free rests");
        nowNs += GRACE;
        assertEquals(5, table.put(4, value(5)));
        assertTrue(table.get(4) > one && table.get(4) < two, "it is used again");
        assertEquals(1, content(one));
        assertEquals(3, content(two));
    }

    @Test
    void aReplacedOrRemovedValuesChunkIsUsedAgain() {
        CuckooTable table = create(16);
        table.put(1, value(1));
        int one = table.get(1);
        assertTrue(table.remove(1));
        assertFalse(table.remove(1), "once");
        nowNs += GRACE;
        table.put(2, value(2));
        assertEquals(one, table.get(2));
    }

    @Test
    void aPublicationThatWasCutOffIsEnded() {
        create(16).put(1, value(1));
        memory.putLong(IndexHeader.COUNT, 8); // the address was new, the count is old
        assertFalse(IndexHeader.isWhole(memory, 0));
        assertEquals(16, attach().buckets());
        assertTrue(IndexHeader.isWhole(memory, 0));
        assertEquals(16, bucketsInHeader());
    }

    private void assertRefused(IntConsumer damage) {
        create(16);
        damage.accept(array());
        String message = assertThrows(IllegalArgumentException.class, this::attach).getMessage();
        assertTrue(message.contains("no table in the region"), message);
    }

    @Test
    void anArrayThatIsNoneIsRefused() {
        for (long count : new long[] {0, 4, -8, 24, 4096, 1L << 59, 1L << 60, Long.MIN_VALUE}) {
            assertRefused(array -> memory.putLong(array - 56, count));
        }
        for (int at : new int[] {0, 64, ARRAY - 65, LENGTH, -64}) {
            assertRefused(array -> IndexHeader.publish(memory, 0, region.address() + at, 16));
        }
        create(16);
        memory.putLong(ARRAY - 56, 8);
        assertEquals(8, attach().buckets(), "the smallest");
    }

    @Test
    void anArrayMayEndWithTheRegionAndNoByteBehind() {
        create(8);
        int at = LENGTH - 16 * Bucket.BYTES;
        for (int bucket = 0; bucket < 16; bucket++) {
            Bucket.clear(memory, at + bucket * Bucket.BYTES);
        }
        memory.putLong(at - 56, 16);
        IndexHeader.publish(memory, 0, region.address() + at, 16);
        assertEquals(16, attach().buckets());
        memory.putLong(at - 56 + 64, 16);
        IndexHeader.publish(memory, 0, region.address() + at + 64, 16);
        assertThrows(IllegalArgumentException.class, this::attach);
    }

    @Test
    void sizesAreRefusedToTheByte() {
        assertThrows(IllegalArgumentException.class, () -> create(4));
        assertThrows(IllegalArgumentException.class, () -> create(12));
        assertThrows(IllegalArgumentException.class,
                () -> CuckooTable.create(region, 8, 0, GRACE, () -> nowNs));
        assertThrows(IllegalArgumentException.class,
                () -> CuckooTable.create(region, 8, LENGTH / 4 + 1, GRACE, () -> nowNs));
        assertEquals(LENGTH / 4, CuckooTable.create(region, 8, LENGTH / 4, GRACE, () -> nowNs).maxValue());
        assertThrows(IllegalArgumentException.class,
                () -> CuckooTable.create(new LargeRegion((1L << 30) + 1), 8, 1, GRACE, () -> nowNs));
        assertThrows(UnsupportedOperationException.class,
                () -> CuckooTable.create(new LargeRegion(1L << 30), 8, 1, GRACE, () -> nowNs));
    }

    @Test
    void behindTheLastChunkThereIsRoomForTheLongestValue() {
        CuckooTable table = create(8);
        ByteBuffer longest = ByteBuffer.allocate(MAX_VALUE);
        assertTrue(table.put(1, longest) > 0, "the longest value");
        int last = 0;
        while (table.put(1, longest) != 0) {
            last = Math.max(last, table.get(1));
        }
        int end = LENGTH - Value.HEADER - MAX_VALUE;
        assertTrue(last + 64 <= end && last + 2 * 64 > end, "the last chunk is at " + last);
        assertThrows(IllegalArgumentException.class, () -> table.put(1, ByteBuffer.allocate(MAX_VALUE + 1)));
    }
}
