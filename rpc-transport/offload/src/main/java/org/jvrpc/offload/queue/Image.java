package org.jvrpc.offload.queue;

import org.jvrpc.mlx5.Wqe;

/**
 * The first 8 bytes of a WQE as an operand, big-endian: of a NOP that a compare-and-swap turns into something else.
 *
 * <pre>
 * operand 47…24:24 | opcode, NOP:8 | operand 23…0:24 | ds:8
 * </pre>
 * The device must not check opmod, index and QP number.
 */
public final class Image {

    /** Bits of an operand. */
    public static final int OPERAND_BITS = 48;
    /** The operands are 0 to this. */
    public static final long MAX_OPERAND = (1L << OPERAND_BITS) - 1;

    private Image() {
    }

    /** Returns the image of a NOP. @throws IllegalArgumentException for an operand of more than 48 bits */
    public static long of(long operand, int segments) {
        if (operand < 0 || operand > MAX_OPERAND) {
            throw new IllegalArgumentException(
                    "operand must be 0 to 0xffffffffffff, operand=0x" + Long.toHexString(operand));
        }
        return operand >>> 24 << 40 | (long) Wqe.NOP << 32 | (operand & 0xffffff) << 8 | segments;
    }

    /** Returns the operand of an image. */
    public static long operand(long image) {
        return image >>> 40 << 24 | image >>> 8 & 0xffffff;
    }

    /**
     * Returns an image as an atomic's operand is written. The device takes memory for a little-endian number and an
     * operand for a big-endian one, so that the bytes of the two stand in opposite order.
     */
    public static long asOperand(long image) {
        return Long.reverseBytes(image);
    }
}
