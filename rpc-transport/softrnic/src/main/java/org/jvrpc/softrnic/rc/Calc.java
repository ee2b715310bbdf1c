package org.jvrpc.softrnic.rc;

import java.nio.ByteBuffer;
import org.jvrpc.mlx5.BigEndian;
import org.jvrpc.mlx5.Wqe;

/**
 * The calculations that an opmod makes of a message: over its 64-bit big-endian words, to one. Source of the opmods:
 * libmlx5-exp. That the words are big-endian is this device's choice: no public source says.
 */
final class Calc {

    /** The most bytes of words. */
    static final int MAX_BYTES = 16 * 8;

    private Calc() {
    }

    static boolean knows(int opmod) {
        return opmod == Wqe.CALC_ADD || opmod >= Wqe.CALC_MAX && opmod <= Wqe.CALC_XOR;
    }

    /** Puts the result over the first word. */
    static void reduce(int opmod, ByteBuffer words, int bytes) {
        long result = BigEndian.getLong(words, 0);
        for (int at = 8; at < bytes; at += 8) {
            result = apply(opmod, result, BigEndian.getLong(words, at));
        }
        BigEndian.putLong(words, 0, result);
    }

    private static long apply(int opmod, long a, long b) {
        return switch (opmod) {
            case Wqe.CALC_ADD -> a + b;
            case Wqe.CALC_MAX -> Long.compareUnsigned(a, b) >= 0 ? a : b;
            case Wqe.CALC_AND -> a & b;
            case Wqe.CALC_OR -> a | b;
            default -> a ^ b;
        };
    }
}
