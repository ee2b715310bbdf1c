package org.jvrpc.offload.table;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The bytes of one answer, and what a reader may believe of them. */
final class MethodChunkTest {

    private static final int AT = 64;
    private static final int ROOM = 256;
    private static final long SEQUENCE = 0x0102030405060708L;

    private final ByteBuffer memory = ByteBuffer.allocateDirect(512).order(ByteOrder.LITTLE_ENDIAN);
    private final CRC32C crc = new CRC32C();

    private static ByteBuffer bytes(int length, int salt) {
        ByteBuffer bytes = ByteBuffer.allocate(length);
        for (int i = 0; i < length; i++) {
            bytes.put(i, (byte) (salt + i * 5));
        }
        return bytes;
    }

    private void write(int arguments, int result, int thrown) {
        for (int at = AT; at < AT + ROOM; at++) {
            memory.put(at, (byte) 0xee);
        }
        MethodChunk.write(memory, AT, new MethodAnswer(bytes(arguments + 3, 1), 3, arguments, bytes(result + 5, 2), 5,
                result, thrown), SEQUENCE, crc);
    }

    /** Returns a copy of so many bytes, as a program brings it. */
    private ByteBuffer copy(int length) {
        return ByteBuffer.allocateDirect(length).order(ByteOrder.LITTLE_ENDIAN).put(0, memory, AT, length);
    }

    private boolean answers(ByteBuffer copy, int arguments) {
        return MethodChunk.answers(copy, bytes(arguments + 3, 1), 3, arguments, crc);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 7, 8, 9, 15, 16, 17, 40})
    void anAnswerOfArgumentsOfAnyLengthIsWhole(int arguments) {
        write(arguments, 13, 6);
        assertEquals(0, memory.getLong(AT), "it is not live yet");
        assertFalse(answers(copy(ROOM), arguments), "it is not live yet");
        MethodChunk.live(memory, AT, true);
        assertEquals(SEQUENCE, memory.getLong(AT));
        ByteBuffer copy = copy(ROOM);
        assertTrue(answers(copy, arguments));
        int result = 32 + (arguments + 7) / 8 * 8;
        assertEquals(result, MethodChunk.resultAt(copy));
        assertEquals(13, MethodChunk.resultBytes(copy));
        assertEquals(6, MethodChunk.thrown(copy));
        assertEquals(result + 13, MethodChunk.bytes(arguments, 13));
        assertEquals(result + 13, MethodChunk.length(memory, AT));
        assertEquals(bytes(18, 2).slice(5, 13), copy.duplicate().limit(result + 13).position(result));
        assertEquals((byte) 0xee, copy.get(result + 13), "nothing is written behind it");
        MethodChunk.live(memory, AT, false);
        assertFalse(answers(copy(ROOM), arguments), "it is taken back");
    }

    @Test
    void itsBytesAreAsWritten() {
        write(5, 3, 7);
        MethodChunk.live(memory, AT, true);
        ByteBuffer copy = copy(ROOM);
        assertEquals(SEQUENCE, copy.getLong(0));
        CRC32C expected = new CRC32C();
        expected.update(copy.duplicate().limit(43).position(12));
        assertEquals((int) expected.getValue(), copy.getInt(8));
        assertEquals(7, copy.getInt(12));
        assertEquals(SEQUENCE, copy.getLong(16));
        assertEquals(SEQUENCE, MethodChunk.sequence(memory, AT));
        assertEquals(5, copy.getInt(24));
        assertEquals(3, copy.getInt(28));
        assertEquals(bytes(8, 1).slice(3, 5), copy.duplicate().limit(37).position(32));
        assertEquals(0, copy.getInt(36) >>> 8, "zeros up to a multiple of 8");
    }

    @Test
    void noOtherArgumentsAreAnswered() {
        write(11, 8, 0);
        MethodChunk.live(memory, AT, true);
        ByteBuffer copy = copy(ROOM);
        for (int i = 0; i < 11; i++) {
            ByteBuffer others = bytes(14, 1);
            others.put(3 + i, (byte) (others.get(3 + i) ^ 0x80));
            assertFalse(MethodChunk.answers(copy, others, 3, 11, crc), "byte " + i);
            assertFalse(MethodChunk.isFor(memory, AT, others, 3, 11), "byte " + i);
        }
        assertFalse(answers(copy, 10));
        assertFalse(answers(copy, 12));
        assertFalse(MethodChunk.isFor(memory, AT, bytes(14, 1), 3, 10));
        assertTrue(MethodChunk.isFor(memory, AT, bytes(14, 1), 3, 11));
        assertTrue(answers(copy, 11));
    }

    @Test
    void aCopyThatIsTooShortIsNoAnswer() {
        write(11, 8, 0);
        MethodChunk.live(memory, AT, true);
        assertTrue(answers(copy(32 + 16 + 8), 11));
        for (int length = 32; length < 32 + 16 + 8; length++) {
            assertFalse(answers(copy(length), 11), "length=" + length);
        }
        write(16, 0, 0);
        MethodChunk.live(memory, AT, true);
        assertTrue(answers(copy(48), 16), "no byte of a result");
        assertFalse(answers(copy(47), 16));
    }

    @Test
    void lengthsThatAreNoneAreNoAnswer() {
        write(8, 8, 0);
        MethodChunk.live(memory, AT, true);
        for (int length : new int[] {-1, -8, Integer.MIN_VALUE, Integer.MAX_VALUE}) {
            ByteBuffer copy = copy(ROOM);
            assertFalse(answers(copy.putInt(28, length), 8), "result of " + length);
            memory.putInt(AT + 28, length);
            assertEquals(-1, MethodChunk.keyOfWhole(memory, AT, ROOM, crc), "result of " + length);
            memory.putInt(AT + 28, 8);
            memory.putInt(AT + 24, length);
            assertEquals(-1, MethodChunk.keyOfWhole(memory, AT, ROOM, crc), "arguments of " + length);
            memory.putInt(AT + 24, 8);
        }
        assertNotEquals(-1, MethodChunk.keyOfWhole(memory, AT, ROOM, crc));
    }

    @Test
    void theKeyOfWhatIsWholeIsThatOfItsArguments() {
        write(11, 8, 0);
        long key = MethodHash.key(bytes(14, 1), 3, 11);
        assertEquals(key, MethodChunk.keyOfWhole(memory, AT, 56, crc));
        assertEquals(-1, MethodChunk.keyOfWhole(memory, AT, 55, crc), "longer than its chunk");
        memory.put(AT + 50, (byte) ~memory.get(AT + 50));
        assertEquals(-1, MethodChunk.keyOfWhole(memory, AT, 56, crc), "torn");
        write(0, 0, 0);
        assertEquals(MethodHash.key(memory, 0, 0), MethodChunk.keyOfWhole(memory, AT, 32, crc), "of no bytes");
    }

    @Test
    void aLookLeavesTheBufferAllOfItsBytes() {
        write(11, 8, 0);
        MethodChunk.keyOfWhole(memory, AT, ROOM, crc);
        assertEquals(0, memory.position());
        assertEquals(512, memory.limit());
    }

    @Test
    void argumentsMayEndWithTheirBuffer() {
        write(13, 0, 0);
        MethodChunk.live(memory, AT, true);
        ByteBuffer arguments = bytes(16, 1);
        assertTrue(MethodChunk.answers(copy(ROOM), arguments, 3, 13, crc));
    }
}
