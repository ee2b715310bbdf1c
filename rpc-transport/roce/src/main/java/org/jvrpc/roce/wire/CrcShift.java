package org.jvrpc.roce.wire;

/**
 * Takes zero bytes back from the register of a CRC-32. The register is linear in what was put in, so the difference
 * of two CRCs, taken back to where two messages differ, is their difference.
 */
final class CrcShift {

    private static final int POLYNOMIAL = 0xedb88320;
    private static final int BITS = 32;
    /** Enough for the largest datagram. */
    private static final int POWERS = 17;
    /** For 2^k bytes each: what becomes of each bit of the register. */
    private static final int[][] STEPS = new int[POWERS][];

    static {
        int[] step = new int[BITS];
        for (int bit = 0; bit < BITS; bit++) {
            int register = 1 << bit;
            for (int i = 0; i < Byte.SIZE; i++) {
                register = register < 0 ? (register ^ POLYNOMIAL) << 1 | 1 : register << 1;
            }
            step[bit] = register;
        }
        for (int k = 0; k < POWERS; k++) {
            STEPS[k] = step;
            int[] twice = new int[BITS];
            for (int bit = 0; bit < BITS; bit++) {
                twice[bit] = apply(step, step[bit]);
            }
            step = twice;
        }
    }

    private CrcShift() {
    }

    private static int apply(int[] step, int register) {
        int result = 0;
        for (int left = register; left != 0; left &= left - 1) {
            result ^= step[Integer.numberOfTrailingZeros(left)];
        }
        return result;
    }

    /** Returns the register before so many zero bytes, up to 2^17 - 1. */
    static int back(int register, int bytes) {
        int result = register;
        for (int left = bytes; left != 0; left &= left - 1) {
            result = apply(STEPS[Integer.numberOfTrailingZeros(left)], result);
        }
        return result;
    }
}
