package org.jvrpc.offload.table;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Test;

/** What a reader may believe of the bytes of a value that it got. */
final class ValueTest {

    private static final int AT = 64;
    private static final long KEY = 0xfedcba987654L;

    private final ByteBuffer memory = ByteBuffer.allocateDirect(512).order(ByteOrder.LITTLE_ENDIAN);
    private final CRC32C crc = new CRC32C();

    private void write(int length) {
        ByteBuffer value = ByteBuffer.allocate(length + 7);
        for (int i = 0; i < value.capacity(); i++) {
            value.put(i, (byte) (i * 3 + 1));
        }
        value.position(3).limit(3 + length);
        Value.write(memory, AT, 256, KEY, 0x0102030405060708L, value, crc);
        assertEquals(3, value.position(), "the caller's buffer stays as it is");
    }

    private boolean isWhole(int room) {
        return Value.isWhole(memory, AT, room, KEY, crc);
    }

    @Test
    void aValueLiesBehindWhatTellsWhoseItIs() {
        memory.putInt(AT + 12, -1);
        write(5);
        assertEquals(256, memory.getInt(AT), "bytes of the chunk");
        assertEquals(5, memory.getInt(AT + 4), "length");
        assertEquals(0, memory.getInt(AT + 12));
        assertEquals(KEY, memory.getLong(AT + 16));
        assertEquals(0x0102030405060708L, memory.getLong(AT + 24));
        for (int i = 0; i < 5; i++) {
            assertEquals((byte) ((i + 3) * 3 + 1), memory.get(AT + 32 + i), "byte " + i);
        }
        assertEquals(0, memory.get(AT + 37), "nothing behind it");
        assertEquals(0, memory.getLong(AT - 8), "nothing before it");
        assertEquals(256, Value.chunk(memory, AT));
        assertEquals(5, Value.length(memory, AT));
        assertEquals(0x0102030405060708L, Value.version(memory, AT));
        assertTrue(isWhole(64));
    }

    @Test
    void theChecksumIsWhatReadersOfOtherVersionsCompute() {
        write(5);
        // CRC32C of key, version and value, then its bits changed by the length; both written out here.
        CRC32C expected = new CRC32C();
        expected.update(memory.duplicate().position(AT + 16).limit(AT + 37));
        assertEquals((int) expected.getValue() ^ (int) (5L * 0x9e3779b9L), memory.getInt(AT + 8));
    }

    @Test
    void everyFlippedBitOfWhatCountsIsNoticed() {
        write(40);
        for (int at = 4; at < 32 + 40; at++) {
            if (at >= 12 && at < 16) {
                continue; // nothing is there
            }
            for (int bit = 0; bit < 8; bit++) {
                memory.put(AT + at, (byte) (memory.get(AT + at) ^ 1 << bit));
                assertFalse(isWhole(200), "byte " + at + " bit " + bit);
                memory.put(AT + at, (byte) (memory.get(AT + at) ^ 1 << bit));
            }
        }
        assertTrue(isWhole(200));
        assertFalse(Value.isWhole(memory, AT, 200, KEY + 1, crc), "of another key");
    }

    @Test
    void aValueLongerThanTheCopyIsNotBelievedToTheByte() {
        write(40);
        assertTrue(isWhole(32 + 40));
        assertFalse(isWhole(32 + 39));
        write(0);
        assertTrue(isWhole(32), "an empty value is one");
        assertFalse(isWhole(31));
    }

    @Test
    void aLengthThatIsNoneIsNotBelieved() {
        write(40);
        for (int length : new int[] {-1, -16, -33, Integer.MIN_VALUE, Integer.MAX_VALUE}) {
            memory.putInt(AT + 4, length);
            assertFalse(isWhole(400), "length=" + length);
        }
    }

    @Test
    void aLookLeavesTheBuffersPositionAndLimit() {
        write(40);
        memory.position(7).limit(300);
        assertTrue(isWhole(200));
        assertEquals(7, memory.position());
        assertEquals(300, memory.limit());
    }
}
