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

    private static final Object[][] KNOWN = {
        {"a", 4644417185603328019L},
        {"key", -2350400668935514176L},
        {"eight888", -2436426746351348433L},
        {"ninebytes", 6363489663317538967L},
        {"sixteen-bytes-16", 674586249098123460L},
        {"user:1000:a-longer-name-than-two-words", 2968022709801511404L},
    };

    private final Numbers numbers = new Numbers();

    /** Python computes the same for bytes, with the secret that PYTHONHASHSEED=0 stands for: 0. */
    @Test
    void theHashIsSipHash13() {
        Keys zero = new Keys(0, 0);
        for (Object[] known : KNOWN) {
            byte[] key = ((String) known[0]).getBytes(StandardCharsets.US_ASCII);
            assertEquals((long) known[1], zero.hash(ByteBuffer.wrap(key), 0, key.length), (String) known[0]);
        }
    }

    @Test
    void anotherSecretHasOtherCollisions() {
        Keys one = Keys.random();
        Keys other = Keys.random();
        int both = 0;
        int ofOne = 0;
        for (int i = 0; i < 100_000; i++) {
            ByteBuffer key = ByteBuffer.wrap(("k" + i).getBytes(StandardCharsets.US_ASCII));
            boolean meets = (one.hash(key, 0, key.capacity()) & 0xff) == 0;
            ofOne += meets ? 1 : 0;
            both += meets && (other.hash(key, 0, key.capacity()) & 0xff) == 0 ? 1 : 0;
        }
        assertTrue(ofOne > 250 && both < 20, "of one secret " + ofOne + ", of both " + both);
    }

    @Test
    void aHashIsTheSameOfBuffersOfEitherOrder() {
        Random random = new Random(1);
        Keys keys = Keys.random();
        for (int length = 1; length <= Keys.MAX_LENGTH; length++) {
            byte[] key = new byte[length + 3];
            random.nextBytes(key);
            long hash = keys.hash(ByteBuffer.wrap(key), 2, length);
            ByteBuffer direct = ByteBuffer.allocateDirect(key.length).order(java.nio.ByteOrder.LITTLE_ENDIAN);
            direct.put(0, key);
            assertEquals(hash, keys.hash(direct, 2, length));
        }
    }

    @Test
    void similarKeysHaveDifferentHashesAndSpreadEvenly() {
        Keys secret = Keys.random();
        Set<Long> seen = new HashSet<>();
        int[] used = new int[1024];
        int keys = 200_000;
        for (int i = 0; i < keys; i++) {
            byte[] key = ("user:" + i + ":name").getBytes(StandardCharsets.US_ASCII);
            long key48 = Keys.key48(secret.hash(ByteBuffer.wrap(key), 0, key.length));
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
