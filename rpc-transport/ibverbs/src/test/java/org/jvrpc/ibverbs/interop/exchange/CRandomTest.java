package org.jvrpc.ibverbs.interop.exchange;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.HexFormat;
import org.junit.jupiter.api.Test;

/** Golden bytes of a C program: {@code srand(seed)}, then {@code (unsigned char) rand()} 5000 times. */
final class CRandomTest {

    private static void assertHex(String expected, int seed, int offset) {
        assertEquals(expected, HexFormat.of().formatHex(CRandom.bytes(seed, offset, 8)));
    }

    @Test
    void bytesAreThoseOfC() {
        assertHex("67c6697351ff4aec", 1, 0);
        assertHex("b1d45859dad8b35a", 1, 4096);
        assertHex("270a8e14fc3f030c", 1_700_000_000, 0);
        assertHex("12442d746237c279", 1_700_000_000, 4096);
    }

    @Test
    void otherBytesAreNotTakenForThem() {
        int now = (int) (System.currentTimeMillis() / 1000);
        byte[] filled = CRandom.bytes(now - 10, 4096, 16);
        CRandom.assertFilled(filled, 4096);
        filled[7]++;
        assertThrows(AssertionError.class, () -> CRandom.assertFilled(filled, 4096));
    }
}
