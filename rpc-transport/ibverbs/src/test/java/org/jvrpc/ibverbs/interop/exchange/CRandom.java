package org.jvrpc.ibverbs.interop.exchange;

import static org.junit.jupiter.api.Assertions.fail;

import java.util.Arrays;
import java.util.HexFormat;

/**
 * What perftest fills its memory with: {@code rand()} after {@code srand(time(NULL))}. So one knows what lies in it.
 * Source: glibc's random(3), the additive feedback generator of degree 31.
 */
public final class CRandom {

    /** How far the seconds of the filling may lie behind the present. */
    private static final int SECONDS = 120;
    private static final int DEGREE = 31;
    private static final int WARM_UP = 10 * DEGREE;
    private static final int SEPARATION = 3;

    private CRandom() {
    }

    /** Returns bytes {@code offset} to {@code offset + length} of what a seed makes. */
    public static byte[] bytes(int seed, int offset, int length) {
        int[] state = new int[DEGREE + WARM_UP + DEGREE + SEPARATION + offset + length];
        state[0] = seed;
        for (int i = 1; i < DEGREE; i++) {
            long next = 16807L * state[i - 1] % 2147483647;
            state[i] = (int) (next < 0 ? next + 2147483647 : next);
        }
        for (int i = DEGREE; i < DEGREE + SEPARATION; i++) {
            state[i] = state[i - DEGREE];
        }
        for (int i = DEGREE + SEPARATION; i < state.length; i++) {
            state[i] = state[i - DEGREE] + state[i - SEPARATION];
        }
        byte[] bytes = new byte[length];
        for (int i = 0; i < length; i++) {
            bytes[i] = (byte) (state[WARM_UP + DEGREE + SEPARATION + offset + i] >>> 1);
        }
        return bytes;
    }

    /** Checks that bytes are what lies at an offset of memory that was filled lately. */
    public static void assertFilled(byte[] bytes, int offset) {
        int now = (int) (System.currentTimeMillis() / 1000);
        for (int seed = now + 1; seed > now - SECONDS; seed--) {
            if (Arrays.equals(bytes, bytes(seed, offset, bytes.length))) {
                return;
            }
        }
        fail("not what perftest filled its memory with: " + HexFormat.of().formatHex(bytes));
    }
}
