package org.jvrpc.watch.probe;

import java.util.Arrays;

/**
 * Which of the last {@value #SPAN} sequence numbers of a peer have come, so that none is taken twice. What is older
 * than those counts as having come. One thread.
 */
public final class ReplayWindow {

    /** How many numbers back it knows. */
    public static final int SPAN = 1024;

    private static final int WORDS = SPAN / Long.SIZE;

    private final long[] seen = new long[WORDS];
    private long highest;

    /** Takes a number. @return false for one that came before, is too old, or is not positive */
    public boolean take(long sequence) {
        if (sequence <= 0 || sequence <= highest - SPAN) {
            return false;
        }
        if (sequence > highest) {
            advance(sequence);
        } else if (isSet(sequence)) {
            return false;
        }
        seen[word(sequence)] |= 1L << sequence;
        return true;
    }

    private void advance(long to) {
        if (to - highest >= SPAN) {
            Arrays.fill(seen, 0);
        } else {
            for (long gone = highest + 1; gone - to <= 0; gone++) { // also up to the largest number
                seen[word(gone)] &= ~(1L << gone);
            }
        }
        highest = to;
    }

    private static int word(long sequence) {
        return (int) (sequence >>> 6) & WORDS - 1;
    }

    private boolean isSet(long sequence) {
        return (seen[word(sequence)] >>> sequence & 1) != 0;
    }

    /** Returns a bit for each of the 64 numbers before one: bit <i>i</i> is set when sequence-1-<i>i</i> has come. */
    public long before(long sequence) {
        long bits = 0;
        for (int i = 0; i < Long.SIZE; i++) {
            long at = sequence - 1 - i;
            if (at > 0 && at <= highest && at > highest - SPAN && isSet(at)) {
                bits |= 1L << i;
            }
        }
        return bits;
    }
}
