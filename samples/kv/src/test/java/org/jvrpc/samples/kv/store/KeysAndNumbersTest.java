package org.jvrpc.samples.kv.store;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.jvrpc.offload.table.Bucket;
import org.jvrpc.offload.table.Hashes;

/** Hashes, and decimal numbers. */
class KeysAndNumbersTest {

    private final Numbers numbers = new Numbers();

    @Test
    void aHashIsTheSameOfArraysAndBuffersOfEitherOrder() {
        Random random = new Random(1);
        for (int length = 1; length <= Keys.MAX_LENGTH; length++) {
            byte[] key = new byte[length + 3];
            random.nextBytes(key);
            long hash = Keys.hash(key, 2, length);
            assertEquals(hash, Keys.hash(ByteBuffer.wrap(key), 2, length));
            ByteBuffer direct = ByteBuffer.allocateDirect(key.length).order(java.nio.ByteOrder.LITTLE_ENDIAN);
            direct.put(0, key);
            assertEquals(hash, Keys.hash(direct, 2, length));
        }
    }

    @Test
    void similarKeysHaveDifferentHashesAndSpreadEvenly() {
        Set<Long> seen = new HashSet<>();
        int[] used = new int[1024];
        int keys = 200_000;
        for (int i = 0; i < keys; i++) {
            byte[] key = ("user:" + i + ":name").getBytes(StandardCharsets.US_ASCII);
            long key48 = Keys.key48(key, 0, key.length);
            assertTrue(seen.add(key48), "two of one key48: " + i);
            used[(int) Hashes.first(key48, 1023)]++;
            used[(int) Hashes.second(key48, 1023)]++;
        }
        for (int count : used) {
            assertTrue(count > 290 && count < 500, "bucket with " + count);
        }
    }

    @Test
    void zeroIsNoKey() {
        assertEquals(1, Keys.key48(0L));
        assertEquals(1, Keys.key48(0xffff_0000_0000_0000L));
        assertEquals(0, Bucket.key(Bucket.EMPTY));
    }

    private boolean unsigned(String text) {
        return numbers.readUnsigned(ByteBuffer.wrap(text.getBytes(StandardCharsets.US_ASCII)), 0, text.length());
    }

    @Test
    void numbersAreReadAsTheCLibraryReadsThem() {
        assertTrue(unsigned("18446744073709551615"));
        assertEquals(-1L, numbers.value());
        assertFalse(unsigned("18446744073709551616"));
        assertFalse(unsigned("-1"));
        assertFalse(unsigned(""));
        assertFalse(unsigned("-"));
        assertFalse(unsigned("1x"));
        assertTrue(unsigned(" +12 apples"));
        assertEquals(12, numbers.value());
        ByteBuffer bytes = ByteBuffer.wrap("-7".getBytes(StandardCharsets.US_ASCII));
        assertTrue(numbers.readSigned32(bytes, 0, 2));
        assertEquals(-7, numbers.value());
    }

    @Test
    void everyNumberIsWrittenAsItIsRead() {
        ByteBuffer bytes = ByteBuffer.allocate(32);
        Random random = new Random(2);
        for (int i = 0; i < 10_000; i++) {
            long number = random.nextLong() >>> random.nextInt(64);
            int digits = Numbers.write(number, bytes, 3);
            assertEquals(Long.toUnsignedString(number),
                    new String(bytes.array(), 3, digits, StandardCharsets.US_ASCII));
        }
        for (long number : new long[] {0, 9, 10, 99, 100, Long.MAX_VALUE, Long.MIN_VALUE, -8446744073709551616L, -1}) {
            int digits = Numbers.write(number, bytes, 0);
            assertEquals(Long.toUnsignedString(number),
                    new String(bytes.array(), 0, digits, StandardCharsets.US_ASCII));
        }
    }
}
