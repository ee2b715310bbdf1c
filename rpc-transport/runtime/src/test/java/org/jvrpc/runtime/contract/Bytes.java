package org.jvrpc.runtime.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Arrays;

/** Bodies that differ in every place, and shrink by a quarter where they are compressed. */
public final class Bytes {

    private Bytes() {
    }

    /** Makes bytes that a seed and their place decide. */
    public static byte[] of(int length, int seed) {
        byte[] bytes = new byte[length];
        long state = seed * 0x9e3779b97f4a7c15L + 1;
        for (int i = 0; i < length; i++) {
            state ^= state << 13;
            state ^= state >>> 7;
            state ^= state << 17;
            bytes[i] = (byte) ((i >>> 9 & 1) == 0 ? state : state & 15);
        }
        return bytes;
    }

    /** Fails unless they are equal, without printing them. */
    public static void assertSame(byte[] expected, byte[] actual, String what) {
        assertEquals(expected.length, actual.length, what);
        assertEquals(-1, Arrays.mismatch(expected, actual), what + ": first difference");
    }
}
