package org.jvrpc.router.tenant;

import java.util.BitSet;
import org.jvrpc.router.Refusal;
import org.jvrpc.router.RefusedException;

/**
 * Numbers of QPs of all devices of a host, 24 bits as the wire has them, in ranges that a device draws from. A range
 * that came back is drawn again when all others have been. Any thread.
 */
public final class QpNumbers {

    /** Numbers in a range. */
    public static final int RANGE = 256;
    private static final int RANGES = (1 << 24) / RANGE;

    private final BitSet taken = new BitSet();
    private int next = 1; // range 0 has the numbers that are reserved

    /** Returns the first number of a range. @throws RefusedException NO_MEMORY: all are taken */
    public synchronized int claim() {
        int range = taken.nextClearBit(next);
        if (range >= RANGES) {
            range = taken.nextClearBit(1);
        }
        if (range >= RANGES) {
            throw new RefusedException(Refusal.NO_MEMORY, "numbers of QPs: all ranges=" + (RANGES - 1) + " are taken");
        }
        taken.set(range);
        next = range + 1;
        return range * RANGE;
    }

    /** Gives a range back. @param first as {@link #claim} returned it */
    public synchronized void release(int first) {
        taken.clear(first / RANGE);
    }
}
