package org.jvrpc.softrnic.memory;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Copies to the byte, and atomics to the bit. */
final class CopyTest {

    private static final int BYTES = 512;

    private final ByteBuffer source = ByteBuffer.allocateDirect(BYTES);
    private final ByteBuffer target = ByteBuffer.allocateDirect(BYTES);

    @Test
    void allBytesAreCopiedFromAndToAnyPlaceAndNoOthers() {
        for (int i = 0; i < BYTES; i++) {
            source.put(i, (byte) (1 + i % 251));
        }
        for (int length = 0; length <= 140; length++) {
            for (int from : new int[] {0, 1, 4, 8, 15}) {
                for (int to : new int[] {0, 1, 2, 7, 8}) {
                    byte[] expected = new byte[BYTES];
                    source.get(from, expected, to, length);
                    target.put(0, new byte[BYTES]);
                    Copy.bytes(source, from, target, to, length);
                    byte[] found = new byte[BYTES];
                    target.get(0, found);
                    assertArrayEquals(expected, found, "from=" + from + " to=" + to + " length=" + length);
                }
            }
        }
    }

    private long slot() {
        return target.order(ByteOrder.nativeOrder()).getLong(64);
    }

    private void slot(long value) {
        target.order(ByteOrder.nativeOrder()).putLong(0, -1).putLong(64, value);
    }

    @Test
    void swapsAndAddsSayWhatWasThereBefore() {
        slot(7);
        assertEquals(7, Atomics.SHARED.compareAndSwap(target, 64, 8, 9));
        assertEquals(7, slot(), "it was not what was compared with");
        assertEquals(7, Atomics.SHARED.compareAndSwap(target, 64, 7, 9));
        assertEquals(9, slot());
        assertEquals(9, Atomics.SHARED.fetchAndAdd(target, 64, -10));
        assertEquals(-1, slot());
        Atomics.put(target, 64, 5);
        assertEquals(5, slot());
    }

    @ParameterizedTest
    @CsvSource({
        "0x1234, 0x0034, 0xabcd, 0xff, 0xff00, 0xab34", // compared below, swapped above
        "0x1234, 0x0035, 0xabcd, 0xff, 0xff00, 0x1234", // another value under the mask
        "0x1234, 0xff34, 0xabcd, 0xff, 0, 0x1234", // nothing to swap
        "0x1234, 0x9999, 0xabcd, 0, 0xffff, 0xabcd", // nothing to compare
    })
    void aMaskedSwapComparesAndSwapsTheBitsOfItsMasks(
            String old, String compare, String swap, String compareMask, String swapMask, String expected) {
        slot(Long.decode(old));
        long[] found = new long[1];
        assertTrue(Atomics.SHARED.maskedCompareAndSwap(target, 64, Long.decode(compare), Long.decode(swap),
                Long.decode(compareMask), Long.decode(swapMask), found));
        assertEquals(Long.decode(old), found[0]);
        assertEquals(Long.decode(expected), slot());
    }

    @ParameterizedTest
    @ValueSource(longs = {0, 1L << 63, 1L << 31 | 1L << 63, 0x8080808080808080L, -1L})
    void aMaskedAddGivesNoCarryFromFieldToField(long boundary) {
        long[] values = {0, 1, -1, 0x00ff00ff00ff00ffL, 0x0123456789abcdefL, 0x7fffffff80000000L, 0x8000000080000000L};
        for (long old : values) {
            for (long add : values) {
                slot(old);
                long[] found = new long[1];
                assertTrue(Atomics.SHARED.maskedFetchAndAdd(target, 64, add, boundary, found));
                assertEquals(old, found[0]);
                assertEquals(sum(old, add, boundary), slot(), "old=" + old + " add=" + add);
            }
        }
    }

    /** Adds bit by bit; a bit of the boundary is the last of its field. */
    private static long sum(long a, long b, long boundary) {
        long sum = 0;
        int carry = 0;
        for (int bit = 0; bit < 64; bit++) {
            int bits = (int) (a >>> bit & 1) + (int) (b >>> bit & 1) + carry;
            sum |= (long) (bits & 1) << bit;
            carry = (boundary >>> bit & 1) != 0 ? 0 : bits >>> 1;
        }
        return sum;
    }
}
