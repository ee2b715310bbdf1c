package org.jvrpc.mlx5;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;

/** Each way to read and write a field, in a buffer whose own byte order is the other one. */
final class BigEndianTest {

    private static final int AT = 8;

    private final ByteBuffer memory = ByteBuffer.allocateDirect(24).order(ByteOrder.LITTLE_ENDIAN);

    /** Expects these bytes from {@link #AT} on, zeros around them, and makes them zero again. */
    private void expect(String hex) {
        byte[] all = new byte[memory.capacity()];
        memory.get(0, all);
        String expected = "00".repeat(AT) + hex;
        assertEquals(expected + "0".repeat(2 * all.length - expected.length()), HexFormat.of().formatHex(all));
        memory.put(0, new byte[all.length]);
    }

    @Test
    void fieldsAreWrittenHighByteFirst() {
        BigEndian.putShort(memory, AT, 0xfff1e2);
        expect("f1e2");
        BigEndian.putInt(memory, AT, 0xf1e2d3c4);
        expect("f1e2d3c4");
        BigEndian.putIntRelease(memory, AT, 0xf1e2d3c5);
        expect("f1e2d3c5");
        BigEndian.putIntVolatile(memory, AT, 0xf1e2d3c6);
        expect("f1e2d3c6");
        BigEndian.putLong(memory, AT, 0xf1e2d3c4b5a69788L);
        expect("f1e2d3c4b5a69788");
        BigEndian.putLongRelease(memory, AT, 0xf1e2d3c4b5a69789L);
        expect("f1e2d3c4b5a69789");
        BigEndian.putLongVolatile(memory, AT, 0xf1e2d3c4b5a6978aL);
        expect("f1e2d3c4b5a6978a");
    }

    @Test
    void fieldsAreReadHighByteFirst() {
        memory.put(AT, HexFormat.of().parseHex("f1e2d3c4b5a69788"));
        assertEquals(0xf1e2, BigEndian.getShort(memory, AT), "without a sign");
        assertEquals(0xf1e2d3c4, BigEndian.getInt(memory, AT));
        assertEquals(0xf1e2d3c4, BigEndian.getIntAcquire(memory, AT));
        assertEquals(0xf1e2d3c4b5a69788L, BigEndian.getLong(memory, AT));
        assertEquals(0xf1e2d3c4b5a69788L, BigEndian.getLongAcquire(memory, AT));
    }

    @Test
    void aFieldThatIsAnotherIsNotReplaced() {
        BigEndian.putLong(memory, AT, 5);
        assertFalse(BigEndian.compareAndSetLong(memory, AT, 6, 7));
        assertEquals(5, BigEndian.getLong(memory, AT));
        assertTrue(BigEndian.compareAndSetLong(memory, AT, 5, 7));
        assertEquals(7, BigEndian.getLong(memory, AT));
        assertFalse(BigEndian.compareAndSetInt(memory, AT + 4, 8, 9));
        assertEquals(7, BigEndian.getInt(memory, AT + 4));
        assertTrue(BigEndian.compareAndSetInt(memory, AT + 4, 7, 9));
        assertEquals(9, BigEndian.getInt(memory, AT + 4));
    }

    @Test
    void arraysHoldTheSameBytes() {
        byte[] bytes = new byte[24];
        BigEndian.putInt(bytes, 4, 0xf1e2d3c4);
        BigEndian.putLong(bytes, AT, 0x0102030405060708L);
        assertEquals("00000000f1e2d3c40102030405060708", HexFormat.of().formatHex(bytes, 0, 16));
        assertEquals(0xf1e2d3c4, BigEndian.getInt(bytes, 4));
        assertEquals(0x0102030405060708L, BigEndian.getLong(bytes, AT));
        BigEndian.putRaw(memory, AT, bytes, 4);
        expect("f1e2d3c401020304");
    }
}
