package org.jvrpc.offload.table;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;

/** The bytes of buckets and nodes, which programs read as parts of work requests; and where keys go, for clients. */
final class LayoutTest {

    private static final int AT = 64;
    private static final long KEY = 0x123456_789abcL;

    private final ByteBuffer memory = ByteBuffer.allocateDirect(256);

    private String hex(int at, int length) {
        byte[] bytes = new byte[length];
        memory.get(at, bytes);
        return HexFormat.of().formatHex(bytes);
    }

    private void assertNothingBeside(int bytes) {
        assertEquals("00".repeat(AT), hex(0, AT), "before");
        assertEquals("00".repeat(256 - AT - bytes), hex(AT + bytes, 256 - AT - bytes), "behind");
    }

    @Test
    void aBucketIsTheHeadOfANopThenTheValuesPlace() {
        memory.putLong(AT + Bucket.OWNER, 0x1122334455667788L);
        Bucket.publish(memory, AT, KEY, 0x0102030405060708L, 0x090a0b0c);
        assertEquals("123456" + "00" + "789abc" + "03" + "0102030405060708" + "090a0b0c" + "00000000"
                + "1122334455667788", hex(AT, Bucket.BYTES));
        assertNothingBeside(Bucket.BYTES);
        assertEquals(KEY, Bucket.key(Bucket.image(memory, AT)));
        assertEquals(0x0102030405060708L, Bucket.address(memory, AT));
        assertEquals(0x090a0b0c, Bucket.length(memory, AT));
        Bucket.clear(memory, AT);
        assertEquals("0000000000000001", hex(AT, 8));
        assertEquals(Bucket.EMPTY, Bucket.image(memory, AT));
    }

    @Test
    void keysHave48BitsAndEachItsOwnImage() {
        for (int bit = 0; bit < 48; bit++) {
            assertEquals(1L << bit, Bucket.key(Bucket.image(1L << bit)), "bit=" + bit);
            assertTrue(Bucket.image(1L << bit) != Bucket.image(0), "bit=" + bit);
        }
        assertEquals(Bucket.MAX_KEY, Bucket.key(Bucket.image(Bucket.MAX_KEY)));
        assertEquals(0, Bucket.key(Bucket.image(0)));
        String message = assertThrows(IllegalArgumentException.class, () -> Bucket.image(-1)).getMessage();
        assertTrue(message.contains("key=0xffffffffffffffff"), message);
        assertThrows(IllegalArgumentException.class, () -> Bucket.image(Bucket.MAX_KEY + 1));
    }

    @Test
    void aNodeIsTheHeadOfTheNextReadThenItsAnswer() {
        for (int at = AT; at < AT + Node.OWNER; at++) {
            memory.put(at, (byte) 0xee); // what was there before
        }
        Node.write(memory, AT, KEY, 0x0102030405060708L, 0x1112131415161718L, 0x191a1b1c);
        assertEquals("123456" + "10" + "789abc" + "04" + "0000000000000000" + "0102030405060708"
                + "00000008" + "00000003" + "1112131415161718" + "191a1b1c" + "00000000"
                + "123456" + "00" + "789abc" + "03" + "0000000000000000", hex(AT, Node.BYTES));
        assertNothingBeside(Node.BYTES);
        assertEquals(KEY, Node.key(memory, AT));
        assertEquals(0x0102030405060708L, Node.next(memory, AT));
        assertEquals(0x1112131415161718L, Node.address(memory, AT));
        assertEquals(0x191a1b1c, Node.length(memory, AT));
    }

    @Test
    void aNodesLinkAndValueChangeByThemselves() {
        Node.write(memory, AT, KEY, 1, 2, 3);
        Node.link(memory, AT, 0x2122232425262728L);
        Node.value(memory, AT, 0x3132333435363738L, 0x393a3b3c);
        assertEquals("1234561078" + "9abc04" + "0000000000000000" + "2122232425262728"
                + "0000000800000003" + "3132333435363738" + "393a3b3c" + "00000000"
                + "12345600789abc03" + "0000000000000000", hex(AT, Node.BYTES));
    }

    @Test
    void anEndLeadsToItselfAndAnswersNothing() {
        Node.writeEnd(memory, AT, 0x0102030405060708L);
        assertEquals("0000001000000004" + "0000000000000000" + "0102030405060708"
                + "0000000000000001" + "0000000000000000" + "00000000" + "00000000"
                + "0000000000000003" + "0000000000000000", hex(AT, Node.BYTES));
        assertNothingBeside(Node.BYTES);
    }

    @Test
    void theImagesOfANodeAreThoseOfItsWorkRequests() {
        assertEquals(0x12345610_789abc04L, Node.readImage(KEY));
        assertEquals(0x12345600_789abc03L, Node.sleepingImage(KEY));
        assertEquals(0xffffff10_ffffff04L, Node.readImage(Bucket.MAX_KEY));
        assertEquals(0x12345612_789abc04L, KeyArray.image(KEY));
    }

    @Test
    void aKeysBucketsAreWhereClientsOfOtherVersionsLookForThem() {
        // Computed by another program from the formulas.
        long[] keys = {0, 1, KEY, Bucket.MAX_KEY};
        long[] whole = {0x51ab2661b74c8e11L, 0x531c6ec51947b325L, 0x5af1e75af6da86cdL, 0xf42d9466f89890a6L};
        for (int i = 0; i < keys.length; i++) {
            assertEquals(whole[i], Hashes.second(keys[i], -1), "key=" + keys[i]);
            assertEquals(whole[i] & 1023, Hashes.second(keys[i], 1023), "key=" + keys[i]);
            assertEquals(keys[i] & 1023, Hashes.first(keys[i], 1023), "key=" + keys[i]);
        }
        assertEquals(6, Hashes.next(5, 7));
        assertEquals(0, Hashes.next(7, 7), "behind the last bucket comes the first");
        assertEquals(0, Hashes.next(15, 7));
    }

    @Test
    void argumentsHaveTheKeysThatClientsOfOtherVersionsCompute() {
        // Computed by another program from the formulas: of bytes f1, f8, ff, 06, 0d, …
        int[] lengths = {0, 1, 7, 8, 9, 16, 23};
        long[] keys = {0, 0x85a27b09a140L, 0x9ac9c18fb3aL, 0x5e877dfbf3c4L, 0xa4fcc18d6616L, 0xe7deff6d2da3L,
            0x88b6295bc51bL};
        memory.order(ByteOrder.BIG_ENDIAN); // whatever the caller's view has
        for (int i = 0; i < 23; i++) {
            memory.put(AT + i, (byte) (0xf1 + 7 * i));
        }
        memory.put(AT - 1, (byte) 0x55).put(AT + 23, (byte) 0x55);
        for (int i = 0; i < lengths.length; i++) {
            assertEquals(keys[i], MethodHash.key(memory, AT, lengths[i]), "length=" + lengths[i]);
        }
    }

    @Test
    void theTwoBucketsOfAnswersAreNeverTheSame() {
        int[] second = {1, 330, 528, 163}; // computed by another program
        long[] keys = {0, 1, KEY, Bucket.MAX_KEY};
        for (int i = 0; i < keys.length; i++) {
            assertEquals((int) keys[i] & 1023, MethodHash.first(keys[i], 1024), "key=" + keys[i]);
            assertEquals(second[i], MethodHash.second(keys[i], 1024), "key=" + keys[i]);
        }
        for (int key = 0; key < 1000; key++) {
            for (int buckets = 2; buckets <= 1 << 10; buckets <<= 1) {
                int one = MethodHash.first(key, buckets);
                int other = MethodHash.second(key, buckets);
                assertTrue(one != other && one >= 0 && other >= 0 && one < buckets && other < buckets,
                        "key=" + key + " buckets=" + buckets + ": " + one + " " + other);
            }
        }
        assertEquals(3, MethodHash.second(34, 4), "the neighbour, when the hash says the first again");
        assertEquals(2, MethodHash.second(39, 4), "the neighbour, when the hash says the first again");
    }

    @Test
    void theCheckOfAHeaderIsWhatClientsOfOtherVersionsCompute() {
        // Computed by another program from the formula.
        assertEquals(0x365afc61535b3920L, IndexHeader.check(0, 0, 0));
        assertEquals(0x60b9ab430ae0e302L, IndexHeader.check(1, 0x10000000040L, 8));
        assertEquals(0x9cf22ccea9aea909L, IndexHeader.check(0x8899aabbccddeeffL, 0xfedcba9876543210L, 1L << 40));
    }
}
