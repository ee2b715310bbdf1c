package org.jvrpc.runtime.stream.piece;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;

/** Messages that come in pieces. */
class AssemblyTest {

    private final Assembly assembly = new Assembly();

    @Test
    void aPieceThatPromisesMuchTakesLittleMemory() {
        assertNull(assembly.add(StreamHeader.OPEN, ByteBuffer.allocate(16), 0, 16, Assembly.MOST_BYTES));
        assertTrue(assembly.held() <= 1 << 14, "bytes=" + assembly.held());
        assertNull(assembly.takeWhole());
        assertNotNull(new Assembly().add(StreamHeader.OPEN, ByteBuffer.allocate(16), 0, 16, Assembly.MOST_BYTES + 1));
        assertNotNull(new Assembly().add(StreamHeader.OPEN, ByteBuffer.allocate(16), 0, 16, -1));
    }

    @Test
    void piecesOfAnyLengthMakeTheMessage() {
        for (int whole : new int[] {0, 1, 100, (1 << 14) + 1, 100_000, Assembly.MOST_BYTES}) {
            Assembly one = new Assembly();
            ByteBuffer bytes = ByteBuffer.allocate(whole);
            for (int i = 0; i < whole; i++) {
                bytes.put(i, (byte) (i * 31));
            }
            int at = 0;
            ByteBuffer got = null;
            while (got == null) {
                int length = Math.min(whole - at, 9_999);
                assertNull(one.add(StreamHeader.OPEN, bytes, at, length, whole - at));
                at += length;
                got = one.takeWhole();
            }
            assertEquals(bytes, got.position(0), "whole=" + whole);
        }
    }
}
