package org.jvrpc.roce.cm;

/**
 * Times and limits of connection management. Each time between two repeats is twice the one before.
 *
 * @param firstRepeatNs after which a message without an answer is sent again
 * @param longestRepeatNs between two repeats, at most
 * @param requestRepeats of a REQ, at most
 * @param otherRepeats of an RTU, and of a DREQ, at most
 * @param longestMraNs how long an MRA has a REQ wait, at most
 * @param halfOpenNs after which a request that nobody answered, or whose REP drew nothing, is forgotten
 * @param restNs how long the ids of a connection that ended are not used, and a rejection is sent again when its
 *     request is: more than two of the longest repeats
 * @param mostHalfOpen requests whose sender has not shown that it gets what is sent to it, in all; then the oldest of
 *     the address that has most makes room
 * @param mostOfSource the same, from one address; then its oldest makes room
 * @param mostResting connections that ended, at most; then the oldest are forgotten
 */
public record CmSettings(
        long firstRepeatNs,
        long longestRepeatNs,
        int requestRepeats,
        int otherRepeats,
        long longestMraNs,
        long halfOpenNs,
        long restNs,
        int mostHalfOpen,
        int mostOfSource,
        int mostResting) {

    private static final long MS = 1_000_000;

    /** Checks the ranges. */
    public CmSettings {
        long least = Math.min(Math.min(firstRepeatNs, longestRepeatNs), Math.min(halfOpenNs, restNs));
        int fewest = Math.min(Math.min(mostHalfOpen, mostOfSource), mostResting);
        if (least < 1 || longestMraNs < 0 || fewest < 1 || requestRepeats < 0 || otherRepeats < 0) {
            throw new IllegalArgumentException("out of range: firstRepeatNs=" + firstRepeatNs + " longestRepeatNs="
                    + longestRepeatNs + " requestRepeats=" + requestRepeats + " otherRepeats=" + otherRepeats
                    + " longestMraNs=" + longestMraNs + " halfOpenNs=" + halfOpenNs + " restNs=" + restNs
                    + " mostHalfOpen=" + mostHalfOpen + " mostOfSource=" + mostOfSource + " mostResting="
                    + mostResting);
        }
    }

    /** Returns what nodes use: repeats from 50 ms to 4.3 s, half-open for 20 s at most, 64 of a source, 256 in all. */
    public static CmSettings defaults() {
        return new CmSettings(50 * MS, 4300 * MS, 15, 5, 60_000 * MS, 20_000 * MS, 10_000 * MS, 256, 64,
                4096);
    }

    /** Returns the same with other limits of half-open connections. */
    public CmSettings withHalfOpen(int most, int ofSource, long newHalfOpenNs) {
        return new CmSettings(firstRepeatNs, longestRepeatNs, requestRepeats, otherRepeats, longestMraNs,
                newHalfOpenNs, restNs, most, ofSource, mostResting);
    }

    /** Returns how long to wait for an answer to a message that was sent so many times. */
    long repeatNs(int sends) {
        return Math.min(longestRepeatNs, firstRepeatNs << Math.min(sends - 1, 20));
    }
}
