package org.jvrpc.offload.table;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.jvrpc.verbs.Access;
import org.jvrpc.verbs.Device;
import org.jvrpc.verbs.Devices;
import org.jvrpc.verbs.MemoryRegion;

/** The memory of a small table of answers, to the byte, and what the next process makes of what one left. */
class MethodTableLayoutTest {

    private static final int AT = 128;
    private static final int CAPACITY = 4;
    private static final int ANSWER = 64;
    private static final int BUCKETS = 16;
    private static final int CHUNKS = AT + 64 + BUCKETS * Bucket.BYTES;
    private static final int SPARE = 64;

    private final Device device = Devices.open("shm://any");
    private MemoryRegion region;
    private ByteBuffer memory;

    @BeforeEach
    void allocate() {
        region = device.allocatePd()
                .allocate(AT + MethodTable.bytes(CAPACITY, ANSWER) + 64, Access.LOCAL_WRITE | Access.REMOTE_READ);
        memory = region.buffer(0, (int) region.length());
    }

    @AfterEach
    void close() {
        device.close();
    }

    private MethodTable open() {
        return MethodTable.open(region, AT, CAPACITY, ANSWER);
    }

    private static ByteBuffer bytes(long value) {
        return ByteBuffer.allocateDirect(8).order(ByteOrder.LITTLE_ENDIAN).putLong(0, value);
    }

    private static MethodPublished put(MethodTable table, long key, long value) {
        return table.publish(new MethodAnswer(bytes(key), 0, 8, bytes(value), 0, 8, 0), table.begin());
    }

    private static boolean remove(MethodTable table, long key) {
        return table.remove(bytes(key), 0, 8, table.begin());
    }

    private int bucketOf(long key) {
        long hash = MethodHash.key(bytes(key), 0, 8);
        for (int bucket : new int[] {MethodHash.first(hash, BUCKETS), MethodHash.second(hash, BUCKETS)}) {
            int at = AT + 64 + bucket * Bucket.BYTES;
            if (Bucket.image(memory, at) == Bucket.image(hash)) {
                return at;
            }
        }
        return -1;
    }

    private int chunkOf(long key) {
        int bucket = bucketOf(key);
        return bucket < 0 ? -1 : (int) (Bucket.address(memory, bucket) - region.address());
    }

    /** Returns the answer that a program finds, or -1. */
    private long get(long key) {
        int chunk = chunkOf(key);
        return chunk < 0 || memory.getLong(chunk) == 0 ? -1 : memory.getLong(chunk + 40);
    }

    @ParameterizedTest
    @CsvSource({"1,32,4,64", "2,64,8,64", "3,65,8,128", "4,128,16,128", "6,64,16,64", "7,64,32,64",
        "1000,100,4096,128"})
    void aTableTakesItsHeaderItsBucketsItsChunksAndRoomForOneRead(int capacity, int answer, int buckets, int chunk) {
        assertEquals(64 + 32L * buckets + (capacity + SPARE + 1L) * chunk, MethodTable.bytes(capacity, answer));
    }

    @Test
    void measuresAreRefusedToTheByte() {
        assertThrows(IllegalArgumentException.class, () -> MethodTable.bytes(0, 64));
        assertThrows(IllegalArgumentException.class, () -> MethodTable.bytes(1, 31));
        String message = assertThrows(IllegalArgumentException.class,
                () -> MethodTable.bytes((1 << 24) + 1, 32)).getMessage();
        assertTrue(message.contains("capacity=" + ((1 << 24) + 1) + " must be 1 to"), message);
        message = assertThrows(IllegalArgumentException.class, () -> MethodTable.bytes(1, (1 << 28) + 1)).getMessage();
        assertTrue(message.contains("answerBytes=" + ((1 << 28) + 1) + " 32 to"), message);
        message = assertThrows(IllegalArgumentException.class, () -> MethodTable.bytes(1 << 24, 32)).getMessage();
        assertTrue(message.contains("limit=" + MethodTable.MAX_BYTES), message);
        message = assertThrows(IllegalArgumentException.class, () -> MethodTable.bytes(1, 1 << 28)).getMessage();
        assertTrue(message.contains("limit=" + MethodTable.MAX_BYTES), message);
        // 66 chunks of 16 268 800 bytes are the most below the limit for one answer, then one of 64 more.
        int chunk = (int) ((MethodTable.MAX_BYTES - 64 - 4 * 32) / 66) & -64;
        assertTrue(MethodTable.bytes(1, chunk) <= MethodTable.MAX_BYTES);
        assertThrows(IllegalArgumentException.class, () -> MethodTable.bytes(1, chunk + 1));
        assertEquals(MethodTable.MAX_BYTES, MethodTable.bytes(158, 4_814_912));
    }

    @Test
    void anEmptyTableIsItsHeaderAndEmptyBuckets() {
        for (int at = 0; at < memory.capacity(); at++) {
            memory.put(at, (byte) 0xee);
        }
        MethodTable table = open();
        assertEquals(64, table.answerBytes());
        assertEquals(0, table.size());
        assertTrue(IndexHeader.isWhole(memory, AT));
        assertEquals(region.address() + AT + 64, IndexHeader.address(memory, AT));
        assertEquals(BUCKETS, IndexHeader.count(memory, AT));
        assertEquals(0x316c_6261_5464_684dL, memory.getLong(AT + 32));
        assertEquals(BUCKETS, memory.getInt(AT + 40));
        assertEquals(CAPACITY + SPARE, memory.getInt(AT + 44));
        assertEquals(64, memory.getInt(AT + 48));
        for (int bucket = 0; bucket < BUCKETS; bucket++) {
            assertEquals(Bucket.EMPTY, Bucket.image(memory, AT + 64 + bucket * Bucket.BYTES), "bucket " + bucket);
        }
        for (int chunk = 0; chunk < CAPACITY + SPARE; chunk++) {
            assertEquals(0, memory.getLong(CHUNKS + chunk * 64), "chunk " + chunk + " is live");
        }
        assertEquals((byte) 0xee, memory.get(CHUNKS + 8), "behind the buckets are chunks");
        assertEquals((byte) 0xee, memory.get(AT - 1));
        assertEquals((byte) 0xee, memory.get((int) (AT + MethodTable.bytes(CAPACITY, ANSWER))));
    }

    @Test
    void anAnswersBucketTellsWhereItIsAndHowLong() {
        MethodTable table = open();
        assertEquals(MethodPublished.PUBLISHED, put(table, 1, 11));
        int bucket = bucketOf(1);
        assertEquals(48, Bucket.length(memory, bucket));
        assertEquals(0, (chunkOf(1) - CHUNKS) % 64);
        assertEquals(11, get(1));
        assertEquals(MethodPublished.PUBLISHED, put(table, 1, 12));
        assertEquals(12, get(1));
        assertEquals(1, table.size());
    }

    @Test
    void aChunkIsUsedAgainAfterAllThatAreFree() {
        MethodTable table = open();
        put(table, 1, 0);
        int first = chunkOf(1);
        for (int i = 1; i < CAPACITY + SPARE; i++) {
            put(table, 1, i);
            assertTrue(chunkOf(1) != first, "after " + i);
            assertEquals(i, get(1));
        }
        put(table, 1, 99);
        assertEquals(first, chunkOf(1));
        assertEquals(0, memory.getLong(first + 64 * 5), "the others are not live");
    }

    @Test
    void aFullTableRefusesNewArgumentsAndTakesNewAnswersToOldOnes() {
        MethodTable table = open();
        for (long key = 0; key < CAPACITY; key++) {
            assertEquals(MethodPublished.PUBLISHED, put(table, key, key));
        }
        assertEquals(MethodPublished.NO_ROOM, put(table, 100, 1));
        assertEquals(CAPACITY, table.size());
        assertEquals(MethodPublished.PUBLISHED, put(table, 2, 22));
        assertTrue(remove(table, 3));
        assertFalse(remove(table, 3), "once");
        assertEquals(CAPACITY - 1, table.size());
        assertEquals(MethodPublished.PUBLISHED, put(table, 100, 1));
        assertEquals(22, get(2));
        assertEquals(-1, get(3));
        assertEquals(1, get(100));
    }

    @Test
    void anAnswerOfExactlyTheLongestLengthFits() {
        MethodTable table = open();
        ByteBuffer result = ByteBuffer.allocate(25);
        MethodAnswer longest = new MethodAnswer(bytes(1), 0, 8, result, 0, 24, 0);
        assertEquals(MethodPublished.PUBLISHED, table.publish(longest, table.begin()));
        MethodAnswer longer = new MethodAnswer(bytes(1), 0, 8, result, 0, 25, 0);
        assertEquals(MethodPublished.TOO_LONG, table.publish(longer, table.begin()));
        assertEquals(-1, bucketOf(1));
        assertEquals(0, table.size());
    }

    @Test
    void clearingGivesBucketsAndChunksBack() {
        MethodTable table = open();
        for (int round = 0; round < 2 * SPARE; round++) {
            for (long key = 0; key < CAPACITY; key++) {
                assertEquals(MethodPublished.PUBLISHED, put(table, key, round));
            }
            int chunk = chunkOf(1);
            table.clear();
            assertEquals(-1, bucketOf(1));
            assertEquals(0, memory.getLong(chunk), "live");
        }
    }

    @Test
    void clearingLeavesWhatLiesBehindTheBucketsAlone() {
        MethodTable table = open();
        Bucket.publish(memory, CHUNKS, 7, region.address() + CHUNKS, 48); // the first chunk looks like a bucket
        byte[] before = new byte[Bucket.BYTES];
        memory.get(CHUNKS, before);
        table.clear();
        byte[] after = new byte[Bucket.BYTES];
        memory.get(CHUNKS, after);
        assertArrayEquals(before, after);
    }

    @Test
    void chunksOfNoBucketAreNotLiveInTheNextProcess() {
        put(open(), 1, 11);
        int chunk = chunkOf(1);
        Bucket.clear(memory, bucketOf(1)); // killed before the chunk was retired
        assertEquals(1, memory.getLong(chunk));
        assertEquals(0, open().size());
        assertEquals(0, memory.getLong(chunk));
    }

    @Test
    void eachBucketKeepsTheLaterOfTwoPublications() {
        MethodTable table = open();
        for (long key = 0; key < 20 * BUCKETS; key++) {
            long first = table.begin();
            long second = table.begin();
            MethodAnswer answer = new MethodAnswer(bytes(key), 0, 8, bytes(1), 0, 8, 0);
            assertEquals(MethodPublished.PUBLISHED, table.publish(answer, second));
            assertEquals(MethodPublished.SUPERSEDED, table.publish(answer, first), "bucket at " + bucketOf(key));
            assertTrue(remove(table, key));
        }
    }

    @Test
    void aFullTableTakesNewAnswersInEachBucket() {
        MethodTable table = open();
        for (long round = 0; round < 20 * BUCKETS; round += CAPACITY) {
            for (int pass = 0; pass < 2; pass++) {
                for (long key = round; key < round + CAPACITY; key++) {
                    assertEquals(MethodPublished.PUBLISHED, put(table, key, pass), "bucket at " + bucketOf(key));
                }
            }
            table.clear();
        }
    }

    @Test
    void argumentsWhoseTwoBucketsAreTakenForGoodFindNoRoom() {
        MethodTable table = open();
        List<Long> keys = keysOfTwoBuckets(3);
        assertEquals(MethodPublished.PUBLISHED, put(table, keys.get(0), 10));
        assertEquals(MethodPublished.PUBLISHED, put(table, keys.get(1), 11));
        assertEquals(MethodPublished.NO_ROOM, put(table, keys.get(2), 12));
        assertEquals(2, table.size());
        assertEquals(10, get(keys.get(0)));
        assertEquals(11, get(keys.get(1)));
        assertTrue(remove(table, keys.get(0)));
        assertEquals(MethodPublished.PUBLISHED, put(table, keys.get(2), 12));
    }

    private static List<Long> keysOfTwoBuckets(int count) {
        List<Long> keys = new ArrayList<>();
        for (long key = 0; keys.size() < count; key++) {
            long hash = MethodHash.key(bytes(key), 0, 8);
            int first = MethodHash.first(hash, BUCKETS);
            int second = MethodHash.second(hash, BUCKETS);
            if (Math.min(first, second) == 2 && Math.max(first, second) == 9) {
                keys.add(key);
            }
        }
        return keys;
    }

    @Test
    void aRemovalSupersedesPublicationsForItsArgumentsAndFewOthers() {
        MethodTable table = open();
        int published = 0;
        for (long key = 100; key < 200; key++) {
            long begun = table.begin();
            assertFalse(remove(table, 1));
            MethodAnswer other = new MethodAnswer(bytes(key), 0, 8, bytes(1), 0, 8, 0);
            published += table.publish(other, begun) == MethodPublished.PUBLISHED ? 1 : 0;
            remove(table, key);
        }
        assertTrue(published > 90, "published=" + published + " of 100");
    }

    @Test
    void clearingForgetsAnswersAndPublicationsThatBeganBefore() {
        MethodTable table = open();
        put(table, 1, 11);
        long begun = table.begin();
        table.clear();
        assertEquals(0, table.size());
        assertEquals(-1, get(1));
        for (long key = 0; key < 50; key++) {
            assertEquals(MethodPublished.SUPERSEDED,
                    table.publish(new MethodAnswer(bytes(key), 0, 8, bytes(1), 0, 8, 0), begun));
        }
        assertEquals(MethodPublished.PUBLISHED, put(table, 1, 12));
        assertEquals(12, get(1));
    }

    @Test
    void aPublicationOfTheSameBeginningComesLast() {
        MethodTable table = open();
        long begun = table.begin();
        assertFalse(table.remove(bytes(1), 0, 8, begun));
        assertEquals(MethodPublished.PUBLISHED,
                table.publish(new MethodAnswer(bytes(1), 0, 8, bytes(5), 0, 8, 0), begun));
        assertEquals(MethodPublished.PUBLISHED,
                table.publish(new MethodAnswer(bytes(1), 0, 8, bytes(6), 0, 8, 0), begun));
        assertTrue(table.remove(bytes(1), 0, 8, begun));
    }

    @Test
    void sequencesGoOnInTheNextProcess() {
        MethodTable table = open();
        put(table, 1, 11);
        long begun = table.begin();
        assertEquals(begun, memory.getLong(AT + 56));
        assertEquals(begun + 1, open().begin());
        memory.putLong(AT + 56, 0); // of another time than the answers
        assertEquals(memory.getLong(chunkOf(1) + 16) + 1, open().begin());
    }

    @Test
    void whatIsThereIsKeptAndGoesOn() {
        MethodTable before = open();
        put(before, 1, 11);
        put(before, 2, 22);
        int chunk = chunkOf(1);
        memory.putLong(chunkOf(2), 0); // killed before it was live
        MethodTable table = open();
        assertEquals(2, table.size());
        assertEquals(11, get(1));
        assertEquals(22, get(2));
        assertEquals(chunk, chunkOf(1));
        for (int i = 0; i < 2 * (CAPACITY + SPARE); i++) {
            put(table, 3, i);
            assertTrue(chunkOf(3) != chunk && chunkOf(3) != chunkOf(2), "in use");
            assertEquals(i, get(3));
        }
        assertEquals(11, get(1));
    }

    @ParameterizedTest
    @ValueSource(ints = {32, 40, 44, 48, 0, 8, 16, 24})
    void whatIsNoTableOfTheseMeasuresIsMadeAnew(int damaged) {
        put(open(), 1, 11);
        memory.put(AT + damaged, (byte) (memory.get(AT + damaged) + 1));
        MethodTable table = open();
        assertEquals(0, table.size());
        assertEquals(-1, get(1));
        assertTrue(IndexHeader.isWhole(memory, AT));
        assertEquals(MethodPublished.PUBLISHED, put(table, 1, 12));
        assertEquals(12, get(1));
    }

    @Test
    void aLengthThatWasNotWrittenIsPutRight() {
        put(open(), 1, 11);
        memory.putInt(bucketOf(1) + Bucket.LENGTH, 0);
        assertEquals(1, open().size());
        assertEquals(48, Bucket.length(memory, bucketOf(1)));
        assertEquals(11, get(1));
    }

    @Test
    void bucketsThatPointToNoChunkAreEmptied() {
        MethodTable before = open();
        put(before, 1, 11);
        long good = Bucket.address(memory, bucketOf(1));
        long first = region.address() + CHUNKS;
        for (long bad : new long[] {0, first - 64, good + 8, first + (CAPACITY + SPARE) * 64, Long.MAX_VALUE, -1}) {
            put(open(), 1, 11);
            int bucket = bucketOf(1);
            memory.putLong(bucket + Bucket.ADDRESS, Long.reverseBytes(bad));
            assertEquals(0, open().size(), "address=" + Long.toHexString(bad));
            assertEquals(Bucket.EMPTY, Bucket.image(memory, bucket), "address=" + Long.toHexString(bad));
        }
    }

    @Test
    void anAnswerInABucketThatIsNotItsOwnIsDropped() {
        put(open(), 1, 11);
        int bucket = bucketOf(1);
        long hash = MethodHash.key(bytes(1), 0, 8);
        int wrong = 0;
        while (wrong == MethodHash.first(hash, BUCKETS) || wrong == MethodHash.second(hash, BUCKETS)) {
            wrong++;
        }
        int at = AT + 64 + wrong * Bucket.BYTES;
        Bucket.publish(memory, at, hash, Bucket.address(memory, bucket), 48);
        Bucket.clear(memory, bucket);
        assertEquals(0, open().size());
        assertEquals(Bucket.EMPTY, Bucket.image(memory, at));
    }

    @Test
    void theSecondPlaceOfAMoveThatWasCutOffIsEmptied() {
        put(open(), 1, 11);
        int bucket = bucketOf(1);
        long hash = MethodHash.key(bytes(1), 0, 8);
        int first = AT + 64 + MethodHash.first(hash, BUCKETS) * Bucket.BYTES;
        int second = AT + 64 + MethodHash.second(hash, BUCKETS) * Bucket.BYTES;
        Bucket.publish(memory, bucket == first ? second : first, hash, Bucket.address(memory, bucket), 48);
        assertEquals(1, open().size());
        assertEquals(11, get(1));
        assertTrue((Bucket.image(memory, first) == Bucket.EMPTY) != (Bucket.image(memory, second) == Bucket.EMPTY),
                "it is in one place");
    }
}
