package org.jvrpc.roce.congestion;

/**
 * Says when a flow's next packet may leave, at a rate that changes. A packet of n bytes moves that time by n / rate,
 * kept in nanoseconds and 48 bits of fraction: a packet costs one multiplication and no division, and up to 400 Gb/s
 * the error is less than a nanosecond in an hour. Time that a flow does not use is lost but for a burst's worth, so a
 * sender that comes late, by its timer or its scheduler, may catch up by that much. One thread.
 */
public final class Pacer {

    /** Bytes in the largest packet or burst, 1 GiB. */
    public static final int BYTES_MOST = 1 << 30;

    private static final int FRACTION_BITS = 48;
    private static final long FRACTION_MASK = (1L << FRACTION_BITS) - 1;
    private static final double FRACTION_UNIT = 1.0 / (1L << FRACTION_BITS);
    private static final long NS_BITS_PER_BYTE = 8_000_000_000L;
    /** Bits of the fraction that a division adds: a remainder below 2^44 shifted by so many stays positive. */
    private static final int DIVISION_BITS = 16;

    private final int burstBytes;
    private long bitsPerSecond;
    /** Nanoseconds for a byte, with the fraction; less than 2^61. */
    private long byteCost;
    private long burstNs;
    private long nextNs;
    private long fraction;

    /**
     * Begins with a packet that may leave at once.
     *
     * @param bitsPerSecond 1 Mb/s to 10 Tb/s
     * @param burstBytes how much a late sender may catch up, 0 to 1 GiB; 0 keeps every gap
     */
    public Pacer(long bitsPerSecond, int burstBytes, long nowNs) {
        this.burstBytes = (int) Rates.check("burstBytes", burstBytes, 0, BYTES_MOST);
        prepare(bitsPerSecond);
        nextNs = nowNs;
    }

    /** Returns the rate. */
    public long bitsPerSecond() {
        return bitsPerSecond;
    }

    /** Returns when the next packet may leave, at the earliest, as long as the rate stays. */
    public long mayLeaveAtNs() {
        return nextNs + (fraction + FRACTION_MASK >>> FRACTION_BITS); // rounded up: never too soon
    }

    /** Returns whether a packet may leave now. */
    public boolean mayLeave(long nowNs) {
        return nowNs - mayLeaveAtNs() >= 0;
    }

    /**
     * Takes note of a packet that leaves; the caller has looked whether it may.
     *
     * @param bytes all that takes time on the wire, 0 to 1 GiB
     */
    public void left(int bytes, long nowNs) {
        Rates.check("bytes", bytes, 0, BYTES_MOST);
        forfeit(nowNs);
        long high = Math.multiplyHigh(byteCost, bytes);
        long low = byteCost * bytes;
        long sum = fraction + (low & FRACTION_MASK);
        nextNs += (high << Long.SIZE - FRACTION_BITS) + (low >>> FRACTION_BITS) + (sum >>> FRACTION_BITS);
        fraction = sum & FRACTION_MASK;
    }

    /**
     * Changes the rate. What is left of the last packet's time, or of the burst, is the same number of bytes at the new
     * rate: a flow that was slow does not wait a slow packet's time before it is fast.
     *
     * @param newBitsPerSecond 1 Mb/s to 10 Tb/s
     */
    public void setRate(long newBitsPerSecond, long nowNs) {
        long old = bitsPerSecond;
        if (newBitsPerSecond == old) {
            return;
        }
        forfeit(nowNs);
        prepare(newBitsPerSecond);
        double gapNs = (nextNs - nowNs + fraction * FRACTION_UNIT) * old / newBitsPerSecond;
        long wholeNs = (long) Math.floor(gapNs);
        nextNs = nowNs + wholeNs;
        fraction = (long) ((gapNs - wholeNs) / FRACTION_UNIT);
    }

    /** Drops the time before now that is more than a burst. */
    private void forfeit(long nowNs) {
        if (nowNs - mayLeaveAtNs() > burstNs) { // who leaves in time, rounded up, keeps the fraction
            nextNs = nowNs - burstNs;
            fraction = 0;
        }
    }

    private void prepare(long newBitsPerSecond) {
        bitsPerSecond = Rates.check("bitsPerSecond", newBitsPerSecond);
        byteCost = NS_BITS_PER_BYTE / bitsPerSecond;
        long remainder = NS_BITS_PER_BYTE % bitsPerSecond;
        for (int bits = 0; bits < FRACTION_BITS; bits += DIVISION_BITS) {
            remainder <<= DIVISION_BITS;
            byteCost = byteCost << DIVISION_BITS | remainder / bitsPerSecond;
            remainder %= bitsPerSecond;
        }
        burstNs = Math.multiplyHigh(byteCost, burstBytes) << Long.SIZE - FRACTION_BITS
                | byteCost * burstBytes >>> FRACTION_BITS;
    }
}
