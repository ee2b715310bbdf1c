package org.jvrpc.roce.wire;

/** Packet sequence numbers: 24 bits, that begin again at 0. Source: IBA volume 1, 9.7.1. */
public final class Psn {

    /** The bits that a PSN has. */
    public static final int MASK = 0xffffff;
    /** Half of all PSNs: what is so far ahead, or farther, is behind. */
    public static final int HALF = 1 << 23;

    private static final int UNUSED_BITS = 8;

    private Psn() {
    }

    /** Returns the PSN {@code count} packets behind another in time; {@code count} may be negative. */
    public static int plus(int psn, int count) {
        return psn + count & MASK;
    }

    /** Returns how many packets {@code a} is ahead of {@code b}: -2^23 to 2^23 - 1. */
    public static int difference(int a, int b) {
        return a - b << UNUSED_BITS >> UNUSED_BITS;
    }
}
